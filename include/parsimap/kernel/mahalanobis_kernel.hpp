// A Gaussian kernel in the metric of one class (kernel/class_metric.hpp).
#pragma once

#include "parsimap/kernel/class_metric.hpp"

namespace parsimap {

class MahalanobisKernel {
 public:
  explicit MahalanobisKernel(ClassMetric metric);

  // k(x_i, z_j) for rows x_i of `x` (n x d) and z_j of `z` (m x d): n x m.
  [[nodiscard]] Matrix block(const Matrix& x, const Matrix& z) const;

  // Coordinates in which the kernel is exp(-1/2 |a - b|^2): sqrt(w_0) x + Q diag(sqrt(v) - sqrt(w_0)) Q'x, n x d, or
  // diag(sqrt(v)) Q'x, n x p, where w_0 is 0. Their distances are never small differences of large numbers.
  [[nodiscard]] Matrix map(const Matrix& spectra) const;

 private:
  ClassMetric metric_;
};

}  // namespace parsimap
