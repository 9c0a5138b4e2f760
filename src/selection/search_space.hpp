// Where the search for hyperparameters starts, and the bounds it stays in. Both are in units of the data, so that
// scenes of any magnitude are searched alike.
#pragma once

#include <vector>

#include "parsimap/selection/criterion.hpp"
#include "parsimap/selection/select.hpp"

namespace parsimap {

class SearchSpace {
 public:
  SearchSpace(const BinaryProblem& problem, KernelFamily family);

  // Starts to compare, in groups: weights ~ tau * variance^-e for exponents e (0: Euclidean, 1: Mahalanobis, and
  // others), tau such that the mean squared distance between samples takes each of some values, and C. A group has one
  // exponent and one C; its best member stands for it.
  [[nodiscard]] std::vector<std::vector<Hyperparameters>> scan() const;

  // Starts of the HDDA kernel near the optimum of the Gaussian (no directional weights) or of the PCA kernel (no
  // isotropic weight), from the limit itself to far inside the family.
  [[nodiscard]] std::vector<Hyperparameters> near_limit(const Hyperparameters& limit) const;

  // The box of theta.
  [[nodiscard]] Vector lower() const;
  [[nodiscard]] Vector upper() const;

 private:
  [[nodiscard]] Vector shape(double exponent) const;
  [[nodiscard]] Hyperparameters with_weights(const Vector& weights, double C) const;

  Index directions_;
  bool has_isotropic_;
  Vector unit_;       // mean squared distance between samples along each direction and, where present, in all bands
  Vector variances_;  // of the class, in the same order
};

}  // namespace parsimap
