// The loss of an L2-SVM, 1/2 sum_i C_i max(0, 1 - y_i f_i)^2, along a line of functions f + t df.
#pragma once

#include "parsimap/core/types.hpp"

namespace parsimap {

// The samples with y_i f_i < 1: those that the squared slack counts, ascending.
Indices inside_margin(const Vector& labels, const Vector& decision);

// `set`, or, where it has samples of one class only and so nothing but a constant function as its solution, every
// sample.
Indices with_both_classes(Indices set, const Vector& labels);

// A line of functions, and the penalty on their coefficients along it: 1/2 |w + t dw|^2.
struct HingeLine {
  const Vector& decision;  // f, n
  const Vector& change;    // df, n
  double inner = 0;        // <w, dw>
  double curvature = 0;    // |dw|^2
};

// The t > 0 with the lowest 1/2 |w + t dw|^2 + 1/2 sum_i C_i max(0, 1 - y_i (f_i + t df_i))^2, for a line along which
// this falls at t = 0. `labels` holds -1 and +1.
double line_search(const HingeLine& line, const Vector& labels, const Vector& penalties);

}  // namespace parsimap
