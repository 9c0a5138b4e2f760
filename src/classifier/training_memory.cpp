#include "parsimap/classifier/training_memory.hpp"

#include <unistd.h>

#include <string>

#include "parsimap/core/error.hpp"

namespace parsimap {

int classes_at_once(Index samples, Index bands, Index features, const TrainingOptions& options,
                    std::int64_t allowed_bytes) {
  TrainingOptions fitting = options;
  fitting.classes_at_once = options.threads;
  while (fitting.classes_at_once > 1 && training_bytes(samples, bands, fitting, features) > allowed_bytes) {
    --fitting.classes_at_once;
  }
  const std::int64_t needed = training_bytes(samples, bands, fitting, features);
  if (needed > allowed_bytes) {
    constexpr std::int64_t kMegabyte = std::int64_t{1} << 20U;
    throw ConfigError("training on " + std::to_string(samples) + " pixels takes about " +
                      std::to_string(needed / kMegabyte) + " MB of memory, and " +
                      std::to_string(allowed_bytes / kMegabyte) +
                      " MB may be used; use fewer with --samples-per-class");
  }
  return fitting.classes_at_once;
}

std::int64_t machine_memory_bytes() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace parsimap
