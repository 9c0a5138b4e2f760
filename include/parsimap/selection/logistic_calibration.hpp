// How well decision values tell two classes apart, whatever their scale and their threshold: the logistic loss of the
// best probabilities p = 1 / (1 + exp(-(a f + b))) that they can be turned into, a >= 0 (Platt 1999).
//
// With targets t = 0.999 for the samples of the class and 0.001 for the others,
//
//   loss = min over a >= 0, b of -1/n sum [t_i log p_i + (1 - t_i) log(1 - p_i)],
//
// a convex problem of two unknowns, which targets inside (0, 1) keep finite where the classes are separable; targets
// that approach 1/2 for small classes, as Platt's do, chose worse kernels for 30 samples of a class. The slope cannot
// be negative: leave-one-out values of a useless kernel lie on the wrong side, since what is left out is missed, and
// would pass for a perfect order.
#pragma once

#include "parsimap/core/types.hpp"

namespace parsimap {

struct LogisticCalibration {
  double slope = 0;   // a
  double offset = 0;  // b
  double loss = 0;
  Vector derivative;  // of the loss with respect to the decision values: a (p - t) / n
};

// `labels` holds -1 and +1, as many as there are decision values (finite).
LogisticCalibration calibrate(const Vector& decisions, const Vector& labels);

}  // namespace parsimap
