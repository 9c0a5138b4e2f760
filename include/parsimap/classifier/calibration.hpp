// From decision values to probabilities: softmax(a f) with one slope a > 0 (method.md section 6), so that the class of
// the largest probability is always that of the largest decision value.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The slope with the least log-loss on `decisions` (n x K, of samples left out) with class indices `labels` (n). It is
// kept below the slope at which the probabilities of well separated classes would all round to 0 and 1.
double fit_softmax_slope(const Matrix& decisions, const std::vector<int>& labels);

// The fraction of rows whose largest entry (the first of equals) is that of the label.
double argmax_accuracy(const Matrix& decisions, const std::vector<int>& labels);

}  // namespace parsimap
