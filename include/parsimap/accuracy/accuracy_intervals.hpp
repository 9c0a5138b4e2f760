// Intervals of 95 % for the measures of a confusion matrix.
//
// docs/method.md ("Accuracy and areas") has the formulas. Of independent pixels, shares have Wilson's intervals, from
// which those of F1 and of the average accuracy follow (Zou and Donner, 2008), and kappa +- 1.96 large-sample standard
// errors (Fleiss, Cohen and Everitt, 1969), and no interval where the error is 0. Pixels of one polygon are alike, so
// that many pixels of few polygons say less than they seem to: from regions, the variances are those of the jackknife
// over the regions, and Wilson's intervals those of effective numbers of pixels (Korn and Graubard, 1998), with
// Student's t of Satterthwaite's degrees of freedom.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_place.hpp"

namespace parsimap {

// Intervals that hold what is estimated from a sample with a confidence of 95 %.
struct Interval {
  double low = 0;
  double high = 0;
  // Effective number of the regions that it is computed from; unset: not from regions.
  std::optional<double> regions = {};
  bool operator==(const Interval&) const = default;
};

// The probability and the point of the standard normal distribution that leaves half the rest above it, 1.96.
inline constexpr double kConfidence = 0.95;
double normal_quantile();

// The same of Student's distribution, for any probability.
double student_quantile(double degrees_of_freedom, double confidence = kConfidence);

// Intervals from fewer effective regions than the first are approximate, from fewer than the second unreliable: by the
// simulation of benchmarks/interval_coverage.cpp.
inline constexpr double kEnoughRegions = 20;
inline constexpr double kFewestRegions = 10;

// Wilson's score interval of a share in [0, 1] observed in `trials` > 0 independent trials (Wilson 1927; Brown, Cai and
// DasGupta, Interval estimation for a binomial proportion, 2001). It lies in [0, 1] and is never of zero width.
// `trials` need not be whole: it may be an effective number.
Interval wilson_interval(double share, double trials);

// Of `successes` in a simple random sample of `trials` > 0 of `population` pixels without replacement, or in
// independent trials (Clopper and Pearson 1934): the shares that a test of each side does not reject. Of more than ten
// thousand pixels they count as independent, which is on the safe side and much faster.
Interval exact_interval(std::int64_t successes, std::int64_t trials, std::optional<std::int64_t> population);
// The same of independent trials, whose number need not be whole.
Interval binomial_interval(double successes, double trials, double confidence = kConfidence);

// estimate +- 1.96 standard errors, cut to [least, most].
Interval normal_interval(double estimate, double standard_error, double least, double most);

// A pixel of known class that the map classifies.
struct ComparedPixel {
  Index reference = 0;     // row of the confusion matrix
  Index map = 0;           // column
  SampleUnit region = {};  // such as the polygon it lies in
};

struct ClassIntervals {
  std::optional<std::int64_t> regions = {};  // with reference pixels of the class; unset: from independent pixels
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
