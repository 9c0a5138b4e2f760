// Validation by folds: the whole training, hyperparameters included, is done anew for every fold.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/validation.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/samples/folds.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

// Trains on the training samples of every fold of `plan` (of these samples) and counts how its test samples are
// labelled, as classification would label them. Bands are those of `samples`: they are not chosen anew.
// `folds_at_once` folds are in work at the same time, each on one thread; a single one uses options.threads. The result
// depends on neither.
Validation validate(const SampleSet& samples, const FoldPlan& plan, const TrainingOptions& options, int folds_at_once,
                    const Progress& progress);

// About how much memory a validation holds at its peak, beside `samples`.
std::int64_t validation_bytes(const SampleSet& samples, const FoldPlan& plan, const TrainingOptions& options,
                              int folds_at_once);

}  // namespace parsimap
