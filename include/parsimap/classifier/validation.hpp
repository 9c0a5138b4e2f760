// What a validation by folds found: stored with the model that was then trained on all samples.
#pragma once

#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

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

}  // namespace parsimap
