// Intervals that hold what is estimated from a sample with a confidence of 95 %.
#pragma once

#include <cstdint>

namespace parsimap {

struct Interval {
  double low = 0;
  double high = 0;
  bool operator==(const Interval&) const = default;
};

// The probability and the point of the standard normal distribution that leaves half the rest above it, 1.96.
inline constexpr double kConfidence = 0.95;
double normal_quantile();

// The same of Student's distribution, for an estimate whose variance comes from `regions` >= 2 regions: regions - 1
// degrees of freedom.
double student_quantile(std::int64_t regions);

// Wilson's score interval of a share in [0, 1] observed in `trials` > 0 independent trials (Wilson 1927; Brown, Cai and
// DasGupta, Interval estimation for a binomial proportion, 2001). It lies in [0, 1] and is never of zero width.
// `trials` need not be whole: it may be an effective number.
Interval wilson_interval(double share, double trials);

// estimate +- 1.96 standard errors, cut to [least, most].
Interval normal_interval(double estimate, double standard_error, double least, double most);

}  // namespace parsimap
