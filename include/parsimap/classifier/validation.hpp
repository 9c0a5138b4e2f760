// Validation by folds: the whole training, hyperparameters included, is done anew for every fold. What it finds is
// stored with the model that is then trained on all samples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap {

struct TrainingOptions;  // classifier/class_trainer.hpp, which cannot be included here: a model holds its validation

struct ValidationFold {
  Index repeat = 0;           // from 0
  Index number = 0;           // in its repeat, from 0
  Index training_pixels = 0;  // what the fold was trained on
  Index buffered_pixels = 0;  // left out of training: too near to a test pixel
  Index untested_pixels = 0;  // left out of the test: of a class with too few training pixels in this fold
  CountMatrix confusion;      // K x K, rows are reference classes, columns are predicted ones
};

struct Validation {
  Index folds = 0;                      // that were asked for
  Index repeats = 0;                    // likewise
  std::string grouping;                 // what stayed together: "regions", "pixels" or "field NAME"
  Index groups = 0;                     // how many of them
  double buffer = 0;                    // least distance from a training pixel to a test pixel
  std::string buffer_unit;              // "m" or "pixels"
  std::vector<ValidationFold> results;  // of the folds that could be trained and tested, by repeat and number

  // The sum of the folds' matrices, K x K; a pixel counts once in every repeat. `results` must not be empty.
  [[nodiscard]] CountMatrix pooled() const;
};

// Trains on the training samples of every fold of `plan` (of these samples) and counts how its test samples are
// labelled, as classification would label them. Bands are those of `samples`: they are not chosen anew.
// At most `folds_at_once` folds are in work at the same time; options.threads share their work. The result depends on
// neither.
Validation validate(const SampleSet& samples, const FoldPlan& plan, const TrainingOptions& options, int folds_at_once,
                    const Progress& progress);

// About how much memory a validation holds at its peak, beside `samples`.
std::int64_t validation_bytes(const SampleSet& samples, const FoldPlan& plan, const TrainingOptions& options,
                              int folds_at_once);

}  // namespace parsimap
