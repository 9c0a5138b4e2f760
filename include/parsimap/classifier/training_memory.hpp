// How training is fitted into the memory that there is.
#pragma once

#include <cstdint>

#include "parsimap/classifier/train.hpp"

namespace parsimap {

// The most classes in work at a time, options.threads at most, with which training on `samples` spectra of `bands`
// bands, and as many profiles of `features` features, fits into `allowed_bytes`. A ConfigError that says how much is
// needed when not even one does.
int classes_at_once(Index samples, Index bands, Index features, const TrainingOptions& options,
                    std::int64_t allowed_bytes);

// Physical memory of this machine.
std::int64_t machine_memory_bytes();

}  // namespace parsimap
