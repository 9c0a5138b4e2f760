// The validation of a training: what `train --validate` does.
#pragma once

#include <cstdint>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/validation.hpp"
#include "parsimap/scene/raster_grid.hpp"

#include "console.hpp"
#include "validation_options.hpp"

namespace parsimap {

// Shares the samples out by their groups, or one by one, says what cannot be estimated well, and validates, with as
// many folds at a time as `threads` and `allowed_bytes` let; training.threads, the threads of a training of all
// samples, are used when that is one. DataError as plan_folds().
Validation validate_training(const ValidationOptions& options, const SampleSet& samples, const RasterGrid& grid,
                             const TrainingOptions& training, int threads, std::int64_t allowed_bytes,
                             Console& console);

}  // namespace parsimap
