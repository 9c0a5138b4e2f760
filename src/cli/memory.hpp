// How `--ram` is shared out, and what was used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parsimap/classifier/train.hpp"
#include "parsimap/core/types.hpp"

#include "command_line.hpp"

namespace parsimap {

struct MemoryBudget {
  std::int64_t cache_bytes = 0;    // GDAL's block cache: a quarter
  std::int64_t working_bytes = 0;  // spectra, results: the rest
};

// `--ram MB`, 64 or more; `help` says for what, and which default there is.
OptionSyntax ram_option(const std::string& help);
// Unset without the option.
std::optional<std::int64_t> ram_bytes(const OptionValues& values);

inline constexpr std::int64_t kDefaultRam = std::int64_t{512} << 20U;

// Shares out `ram_bytes` and sets GDAL's cache accordingly.
MemoryBudget split_memory(std::int64_t ram_bytes);

// The most threads, options.threads at most, with which training on `samples` spectra of `bands` bands fits into
// `allowed_bytes`. A ConfigError that says how much is needed when not even one does.
int training_threads(Index samples, Index bands, const TrainingOptions& options, std::int64_t allowed_bytes);

// Physical memory of this machine.
std::int64_t machine_memory_bytes();

// The largest resident size of this process so far.
std::int64_t peak_memory_bytes();

}  // namespace parsimap
