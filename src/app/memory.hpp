// What there is of memory, and how training is fitted into it.
#pragma once

#include <cstdint>

#include "parsimap/classifier/train.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

// The most classes in work at a time, options.threads at most, with which training on `samples` spectra of `bands`
// bands, and as many profiles of `features` features, fits into `allowed_bytes`. A ConfigError that says how much is
// needed when not even one does.
int classes_at_once(Index samples, Index bands, Index features, const TrainingOptions& options,
                    std::int64_t allowed_bytes);

// Physical memory of this machine.
std::int64_t machine_memory_bytes();

// The largest resident size of this process so far.
std::int64_t peak_memory_bytes();

}  // namespace parsimap
