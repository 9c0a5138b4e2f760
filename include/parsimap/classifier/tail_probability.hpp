// How often a positive quantity is as large as a given value, learnt from a sample of it.
//
// Between quantiles of the sample the probability is interpolated; beyond the last of them it falls like a power of the
// value, whose exponent is Hill's estimate from the largest values (Hill 1975), so that two values beyond the sample
// still differ.
#pragma once

#include "parsimap/core/types.hpp"

namespace parsimap {

struct TailTable {
  Vector values;         // ascending, > 0
  Vector probabilities;  // of a value at least as large, descending, in (0, 1); as many as values
  double exponent = 1;   // beyond the last: p = p_last (value_last / value)^exponent, > 0
};

// From n >= 2 values >= 0. The j-th smallest is taken to be reached with probability (n + 1 - j) / (n + 1). The upper
// tenth of the sample, but at least its ten largest values or half of it, gives the exponent.
TailTable fit_tail(Vector sample);

// In [0, 1], 1 at a value of 0; it never grows with the value. NaN, as a distance becomes that overflows on its way,
// counts as infinite: 0.
double tail_probability(const TailTable& table, double value);

}  // namespace parsimap
