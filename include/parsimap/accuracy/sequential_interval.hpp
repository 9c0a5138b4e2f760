// Intervals that hold at every size of a growing sample at once, so that one may look after each label and stop at will
// (time-uniform confidence sequences).
//
// By betting (Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting, 2024): a capital that
// cannot be expected to grow if a mean is m grows beyond 2 / 0.05 with a probability of at most 0.025 (Ville's
// inequality); the interval are the m for which neither the capital of the bets on larger values nor that on smaller
// ones ever did. docs/method.md ("Intervals of a growing sample") has the bets of a stratified sample.
#pragma once

#include <vector>

#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

struct SequentialStratum {
  double pixels = 0;              // N_h
  double planned = 0;             // units of the whole sample
  bool with_replacement = false;  // units are drawn independently of each other
};

struct SequentialUnit {
  Index stratum = 0;
  double value = 0;  // in [0, 1]
};

// Of the mean over all pixels. `units` are in the order in which they were drawn: two of each stratum, or all if it has
// fewer, and then the others in a uniformly random order of the strata. It begins with [0, 1].
Interval sequential_interval(const std::vector<SequentialStratum>& strata, const std::vector<SequentialUnit>& units);

}  // namespace parsimap
