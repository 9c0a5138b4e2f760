// How right a map is: the confusion matrix and its measures, their intervals, and whether probabilities are right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The confusion (error) matrix of a map and the measures derived from it (Congalton and Green, Assessing the Accuracy
// of Remotely Sensed Data). Rows are reference classes, columns are map classes, entries are numbers of pixels.
// docs/method.md
// ("Accuracy and areas") has the formulas.
// All are fractions; a measure that is 0/0 is not defined and has no value.

struct ClassAccuracy {
  std::int64_t reference_pixels = 0;  // n_c+
  std::int64_t map_pixels = 0;        // n_+c
  std::optional<double> producers_accuracy;
  std::optional<double> users_accuracy;
  std::optional<double> f1;
};

class ConfusionMatrix {
 public:
  // All zero, one row and column per name.
  explicit ConfusionMatrix(std::vector<std::string> names);
  // `counts` is names x names, none negative: DataError.
  ConfusionMatrix(std::vector<std::string> names, CountMatrix counts);

  // `count` more pixels (>= 0) whose reference and map classes are these; indices in [0, size()).
  void add(Index reference, Index map, std::int64_t count = 1);

  [[nodiscard]] Index size() const { return counts_.rows(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const CountMatrix& counts() const { return counts_; }
  [[nodiscard]] std::int64_t pixels() const { return counts_.sum(); }

  [[nodiscard]] std::optional<double> overall_accuracy() const;
  [[nodiscard]] std::optional<double> average_accuracy() const;
  [[nodiscard]] std::optional<double> kappa() const;
  [[nodiscard]] ClassAccuracy class_accuracy(Index index) const;

 private:
  std::vector<std::string> names_;
  CountMatrix counts_;
};

// Quantity and allocation disagreement (Pontius and Millones, Death to Kappa, 2011): how much of 1 - overall accuracy
// comes from wrong amounts of the classes, and how much from right amounts in the wrong places.
struct Disagreement {
  double quantity = 0;    // sum_c |p_c+ - p_+c| / 2
  double allocation = 0;  // sum_c min(p_c+ - p_cc, p_+c - p_cc)
};

// `weights` is K x K, none negative, rows are reference, columns are map: numbers of pixels or shares of area.
// Fractions of their sum; nothing when that is 0.
std::optional<Disagreement> disagreement(const Matrix& weights);

// Intervals of 95 % for the measures of a confusion matrix.
//
// docs/method.md ("Accuracy and areas") has the formulas. Of independent pixels, shares have Wilson's intervals, from
// which those of F1 and of the average accuracy follow (Zou and Donner, 2008), and kappa +- 1.96 large-sample standard
// errors (Fleiss, Cohen and Everitt, 1969), and no interval where the error is 0. Pixels of one polygon are alike, so
// that many pixels of few polygons say less than they seem to: from regions, the variances are those of the jackknife
// over the regions, and Wilson's intervals those of effective numbers of pixels (Korn and Graubard, 1998), with
// Student's t of Satterthwaite's degrees of freedom.

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

// The same of Student's distribution.
double student_quantile(double degrees_of_freedom);

// Intervals from fewer effective regions than the first are approximate, from fewer than the second unreliable: by the
// simulation of benchmarks/interval_coverage.cpp.
inline constexpr double kEnoughRegions = 20;
inline constexpr double kFewestRegions = 10;

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

// Whether probabilities are right: how often pixels of about the same largest probability are classified right (a
// reliability diagram; Murphy and Winkler 1977), and the expected calibration error that sums it up.

// One of equal bins of [0, 1].
struct ReliabilityBin {
  double low = 0;
  double high = 0;
  std::int64_t pixels = 0;
  double confidence = 0;  // mean of the largest probabilities; 0 without pixels
  double accuracy = 0;    // share classified right; 0 without pixels
};

class Reliability {
 public:
  // `confidence` in [0, 1] is the largest probability of a pixel; `right`: its class is that of the reference.
  void add(double confidence, bool right);

  [[nodiscard]] std::vector<ReliabilityBin> bins() const;
  // The mean over the pixels of |accuracy - confidence| of their bins; unset without pixels.
  [[nodiscard]] std::optional<double> expected_calibration_error() const;

 private:
  struct Sum {
    std::int64_t pixels = 0;
    std::int64_t right = 0;
    double confidence = 0;
  };

  static constexpr int kBins = 20;

  std::vector<Sum> sums_ = std::vector<Sum>(kBins);
};

}  // namespace parsimap
