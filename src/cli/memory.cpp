#include "parsimap/cli/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include "parsimap/classifier/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/settings.hpp"

namespace parsimap {

OptionSyntax ram_option(const std::string& help) {
  constexpr std::int64_t kMostMegabytes = std::int64_t{1} << 30U;
  return {.name = "ram",
          .kind = OptionKind::integer,
          .value_name = "MB",
          .help = help,
          .default_value = "512",
          .least = 64,
          .most = kMostMegabytes};
}

std::int64_t ram_bytes(const OptionValues& values) { return *values.integer("ram") << 20U; }

MemoryBudget split_memory(std::int64_t ram_bytes) {
  const MemoryBudget budget{ram_bytes / 4, ram_bytes - ram_bytes / 4};
  set_gdal_cache(budget.cache_bytes);
  return budget;
}

int training_threads(Index samples, int threads, std::int64_t machine_bytes) {
  while (threads > 1 && training_bytes(samples, threads) > machine_bytes) {
    --threads;
  }
  const std::int64_t needed = training_bytes(samples, threads);
  if (needed > machine_bytes) {
    constexpr std::int64_t kGigabyte = std::int64_t{1} << 30U;
    throw ConfigError("training on " + std::to_string(samples) + " pixels takes about " +
                      std::to_string(needed / kGigabyte) + " GB of memory and this machine has " +
                      std::to_string(machine_bytes / kGigabyte) + "; use fewer with --samples-per-class");
  }
  return threads;
}

std::int64_t machine_memory_bytes() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
}

std::int64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace parsimap
