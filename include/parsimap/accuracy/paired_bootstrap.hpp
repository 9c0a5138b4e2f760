// The interval of the difference in overall accuracy of two maps, by drawing regions anew (Efron and Tibshirani, An
// Introduction to the Bootstrap; whole regions, since pixels of one polygon are not independent).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parsimap/accuracy/interval.hpp"

namespace parsimap {

// What is drawn: a polygon of the reference, or a pixel.
struct RegionDifference {
  std::int64_t pixels = 0;      // at least 1
  std::int64_t difference = 0;  // pixels right in the first map less pixels right in the second
};

inline constexpr int kBootstrapReplicates = 1999;

// The interval of sum(difference) / sum(pixels) over draws of as many regions, with replacement, in [-1, 1]: its
// percentiles, whose distances from the estimate are multiplied by t / 1.96 sqrt(G / (G - 1)), with Student's t of
// G - 1 degrees of freedom, for G regions. Draws of G regions vary less than the regions by that root, and few of them
// leave the variance itself uncertain (Hesterberg, What teachers should know about the bootstrap, 2015, who moves the
// percentiles; of a handful of regions there are none further out). `regions` is not empty; its order does not matter.
// Nothing where regions do not differ, which is not certainty.
std::optional<Interval> bootstrap_difference(const std::vector<RegionDifference>& regions, std::uint64_t seed);

}  // namespace parsimap
