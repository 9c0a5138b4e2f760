// The validation of a training.
#pragma once

#include <cstdint>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/validation.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap {

// Shares the samples out by their groups, or one by one where design.grouping says so, says what cannot be
// estimated well, and validates, with as many folds at a time as `threads` and `allowed_bytes` let; training.threads,
// the threads of a training of all samples, are used when that is one. `positions` may be empty without a buffer.
// DataError as plan_folds().
Validation validate_training(FoldDesign design, const SampleSet& samples, const PixelPositions& positions,
                             const TrainingOptions& training, int threads, std::int64_t allowed_bytes,
                             Listener& listener);

}  // namespace parsimap
