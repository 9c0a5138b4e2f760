// The confusion (error) matrix of a map and the measures derived from it (Congalton and Green, Assessing the Accuracy
// of Remotely Sensed Data). Rows are reference classes, columns are map classes, entries are numbers of pixels.
//
// With counts n_rc, row sums n_r+, column sums n_+c and total n:
//   overall accuracy     sum_c n_cc / n
//   producer's accuracy  n_cc / n_c+  (recall; 1 - omission error)
//   user's accuracy      n_cc / n_+c  (precision; 1 - commission error)
//   F1                   2 n_cc / (n_c+ + n_+c), the harmonic mean of the two
//   average accuracy     mean of the defined producer's accuracies
//   Cohen's kappa        (p_o - p_e) / (1 - p_e), p_o the overall accuracy, p_e = sum_c n_c+ n_+c / n^2
// All are fractions; a measure that is 0/0 is not defined and has no value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

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

}  // namespace parsimap
