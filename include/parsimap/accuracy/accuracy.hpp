// How right a map is: the confusion matrix and its measures, and whether probabilities are right.
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
