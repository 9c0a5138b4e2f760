// The accuracy that is to be expected with more labels, from classifiers trained on nested parts of the units.
#pragma once

#include <optional>
#include <vector>

#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"

namespace parsimap {

// docs/method.md ("Accuracy with more labels") has the formulas. Every fold is left out, and classifiers are trained on
// nested random parts of the units of the others, that have as much of every class. A learning curve is fitted to the
// accuracies of the samples left out, and extrapolated. This supposes that further features are drawn like the present
// ones, from the same classes, and labelled as well.

// A class of fewer units is not judged.
inline constexpr Index kFewestCurveUnits = 5;

struct ForecastValue {
  double now = 0;
  double then = 0;    // with the further features
  Interval interval;  // that holds the latter with a probability of 90 %
  bool operator==(const ForecastValue&) const = default;
};

struct LabelForecast {
  Index more = 0;            // features
  Index features = 0;        // labelled now
  std::vector<Index> units;  // by class
  // Overall accuracy and average of the classes that are judged; unset with fewer than two.
  std::optional<ForecastValue> overall;
  std::optional<ForecastValue> average;
  std::vector<std::optional<ForecastValue>> classes;  // producer's accuracies
  // With so many more features twice as many of all would gain less than kPayingGain of overall accuracy; unset where
  // that needs more than kLargestGrowth times those that there are.
  std::optional<Index> enough;
};

inline constexpr double kPayingGain = 0.01;
inline constexpr double kLargestGrowth = 20;

// `shares` are those of the classes in the map (K), by which the overall accuracy is weighted, or empty: those of the
// samples. The result depends neither on the number of threads nor on the order of the samples within units.
LabelForecast forecast_accuracy(const LabelledSpectra& samples, const Indices& untrusted,
                                const ClassifierDesign& design, Index more, const Vector& shares,
                                const LeftOutOptions& options);

}  // namespace parsimap
