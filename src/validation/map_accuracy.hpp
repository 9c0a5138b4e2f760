// The accuracy of a map from left-out counts, and draws of it by the bootstrap.
#pragma once

#include <vector>

#include "parsimap/core/random.hpp"

#include "left_out_table.hpp"

namespace parsimap {

// The groups of neighbours whose weighted means make `values` not rise, by pooling adjacent violators: the number of
// the group of each entry, ascending from 0.
Indices falling_groups(const Vector& values, const Vector& weights);

// The least of 1/2 x' H x - g' x over the simplex, x >= 0 and sum x = 1. `hessian` is positive definite.
Vector minimise_on_simplex(const Matrix& hessian, const Vector& gradient);

// The shares pi of the K classes with the least
//
//   (K - 1)/K sum_j (s_j - sum_c pi_c C_cj)^2 / v_j  +  1/u sum_c (pi_c - t_c)^2
//
// on the simplex: weighted least squares with a prior towards t of variance u, which counts where C leaves pi open. The
// factor (K - 1)/K accounts for residuals that sum up to 0.
Vector class_shares(const Matrix& confusion, const Vector& map_shares, const Vector& variances, const Vector& prior,
                    double prior_variance);

struct AccuracyValues {
  double overall = 0;
  double average = 0;
  Vector by_distance;  // by bin
};

// docs/method.md, "Expected accuracy of a map". T classes are tested, of K.
class MapAccuracy {
 public:
  // A table with at least one tested class. `label_shares`: of all classes.
  MapAccuracy(LeftOutTable table, const std::vector<double>& label_shares);

  [[nodiscard]] AccuracyValues estimate() const { return values(confusion_, shares_); }
  // One draw of the bootstrap, at least two units.
  [[nodiscard]] AccuracyValues replicate(Random& random) const;

  [[nodiscard]] const LeftOutTable& table() const { return table_; }
  [[nodiscard]] const Matrix& confusion() const { return confusion_.whole; }  // T x K, at the distances of the map
  [[nodiscard]] const Vector& shares() const { return shares_; }              // pi, T
  // Rows and columns of the tested classes of such a matrix, each row divided by its sum.
  [[nodiscard]] Matrix square(const Matrix& whole) const;
  // Of a mean over the tested classes with these weights, after Satterthwaite (1946): the variances of the classes are
  // taken as proportional to their squared weights over their effective units.
  [[nodiscard]] double degrees_of_freedom(const Vector& weights) const;

 private:
  using Counts = std::vector<Matrix>;  // by bin, T x K
  struct Confusion {
    std::vector<Matrix> by_bin;  // T x K, rows divided by their sums
    Matrix whole;                // their mean over the map
  };

  [[nodiscard]] Index own_column(Index row) const { return table_.tested[static_cast<std::size_t>(row)]; }
  [[nodiscard]] Counts counts(const Vector& weights) const;
  [[nodiscard]] Confusion confusion_of(Counts counts, const Matrix& unseen) const;
  [[nodiscard]] AccuracyValues values(const Confusion& confusion, const Vector& shares) const;
  [[nodiscard]] Vector shares_of(const Matrix& whole, const Vector& map_shares, const Vector& prior) const;
  [[nodiscard]] Matrix weights_of_records(const Counts& sums) const;
  void estimate_errors();
  void set_shapes(const Matrix& unit_sizes);

  LeftOutTable table_;
  Vector map_weights_, unit_weights_;  // of the bins
  Vector label_shares_, map_shares_;   // of the tested classes, each with sum 1
  double map_pixels_ = 0;              // assigned to tested classes
  Vector units_;                       // effective number, by tested class
  Matrix variances_;                   // of the entries of C, T x T
  Vector shapes_;                      // of the weights of the units
  Confusion confusion_;
  Vector shares_;
};

}  // namespace parsimap
