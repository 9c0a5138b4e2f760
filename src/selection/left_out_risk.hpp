// How badly decision values of left-out samples tell all classes apart.
//
// The risk of a sample is -log softmax(a f)_label, at the slope a with the lowest mean of it, plus 1 where the largest
// decision value is not that of its label. The logarithm alone prefers machines that are too smooth where classes
// overlap: they know best how unsure to be, but tell fewer samples apart than others with nearly the same logarithm.
// The count of errors alone jumps, and ties.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct LeftOutRisk {
  double slope = 1;   // a > 0
  double mean = 0;    // weighted mean of the risks
  Vector risks;       // of every sample; 0 for those that do not count
  double errors = 0;  // weighted fraction of the samples that count whose largest score (the first of equals) is wrong
};

// `scores` n x K, finite or -infinity for a class that was not trained; `labels` n class indices in [0, K); `weights`
// n, >= 0. A sample whose own class was not trained does not count. The slope is kept below the one at which the
// probabilities of well separated classes would all round to 0 and 1.
LeftOutRisk left_out_risk(const Matrix& scores, const std::vector<int>& labels, const Vector& weights);

// The errors alone, of samples that may have other weights.
double left_out_errors(const Matrix& scores, const std::vector<int>& labels, const Vector& weights);

}  // namespace parsimap
