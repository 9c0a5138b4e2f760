// Intervals of 95 % for the measures of a confusion matrix.
//
// From independent pixels:
//   overall, producer's, user's accuracy   Wilson's interval of a share of pixels
//   F1                                     Wilson's interval of J = n_cc / (n_c+ + n_+c - n_cc), carried over by
//                                          F1 = 2 J / (1 + J)
//   average accuracy                       from the intervals [l_c, u_c] of the K producer's accuracies p_c (Zou and
//                                          Donner, 2008): low = mean - sqrt(sum (p_c - l_c)^2) / K, high likewise
//   kappa                                  +- 1.96 large-sample standard errors (Fleiss, Cohen and Everitt, 1969);
//                                          nothing where the error is 0, as for full agreement
//
// Pixels of one polygon are alike, so that many pixels of few polygons say less than they seem to. From regions, every
// share y/x takes its variance from the totals (x_i, y_i) of the M regions with x_i > 0 (Cochran, Sampling Techniques,
// the ratio estimator of clusters): v = M / (M - 1) sum (y_i - p x_i)^2 / x^2. Wilson's interval is that of the
// effective number of pixels p (1 - p) / v (1.96 / t)^2, with Student's t of M - 1 degrees of freedom (Korn and
// Graubard, 1998), at least 1 and at most x. A share of 0 or 1 has no variance of its own: it takes the overall
// accuracy's ratio of effective to counted pixels, and counts every region once at least. Kappa's error is that of the
// regions' totals, with t.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parsimap/accuracy/confusion_matrix.hpp"

namespace parsimap {

// Intervals that hold what is estimated from a sample with a confidence of 95 %.
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

// A pixel of known class that the map classifies.
struct ComparedPixel {
  Index reference = 0;      // row of the confusion matrix
  Index map = 0;            // column
  std::int64_t region = 0;  // such as the polygon it lies in
};

struct ClassIntervals {
  std::optional<Interval> producers_accuracy;
  std::optional<Interval> users_accuracy;
  std::optional<Interval> f1;
};

// A measure that is not defined has no interval.
struct AccuracyIntervals {
  std::optional<std::int64_t> regions;  // number of regions they are drawn from; unset: from independent pixels
  std::optional<Interval> overall_accuracy;
  std::optional<Interval> average_accuracy;
  std::optional<Interval> kappa;
  std::vector<ClassIntervals> classes;
};

AccuracyIntervals pixel_intervals(const ConfusionMatrix& confusion);

// `pixels` in any order are those that `confusion` counts. Where no region has two of them, these are the intervals of
// independent pixels.
AccuracyIntervals region_intervals(const ConfusionMatrix& confusion, std::vector<ComparedPixel> pixels);

}  // namespace parsimap
