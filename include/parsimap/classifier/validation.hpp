// Validation by folds: the whole training, hyperparameters included, is done anew for every fold. What it finds is
// stored with the model that is then trained on all samples.
#pragma once

#include <cstdint>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/validation/folds.hpp"

namespace parsimap {

// Trains on the training samples of every fold of `plan` (of these samples) and counts how its test samples are
// labelled, as classification would label them. Bands are those of `samples`: they are not chosen anew.
// At most `folds_at_once` folds are in work at the same time; options.threads share their work. The result depends on
// neither.
Validation validate(const SampleSet& samples, const FoldPlan& plan, const TrainingOptions& options, int folds_at_once,
                    const Progress& progress);

// How many folds `threads` and `allowed_bytes` let be in work at the same time, 1 at least.
int folds_at_once(const SampleSet& samples, const FoldPlan& plan, const TrainingOptions& options, int threads,
                  std::int64_t allowed_bytes);

}  // namespace parsimap
