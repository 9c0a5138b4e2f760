// Two maps held against the same reference: are they right equally often? McNemar's test answers for independent
// pixels, of which only those say anything where one map alone is right; the bootstrap answers for whole regions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parsimap/accuracy/accuracy_intervals.hpp"

namespace parsimap {

struct PairedCounts {
  std::int64_t both_right = 0;
  std::int64_t first_only = 0;   // right in the first map alone
  std::int64_t second_only = 0;  // right in the second map alone
  std::int64_t both_wrong = 0;

  [[nodiscard]] std::int64_t pixels() const { return both_right + first_only + second_only + both_wrong; }
  [[nodiscard]] std::int64_t discordant() const { return first_only + second_only; }
};

struct McNemarTest {
  bool exact = false;
  double statistic = 0;  // chi-square, one degree of freedom; 0 when exact
  double p_value = 1;    // two-sided
};

// Fewer than 25 discordant pixels: exact, the binomial distribution of first_only in b + c trials at 1/2. Otherwise the
// chi-square distribution of (|b - c| - 1)^2 / (b + c), with Edwards' continuity correction.
McNemarTest mcnemar_test(const PairedCounts& counts);

// What the bootstrap draws (Efron and Tibshirani, An Introduction to the Bootstrap): a polygon of the reference, since
// pixels of one polygon are not independent, or a pixel.
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
