// A Gaussian kernel in the metric of one class (kernel/class_metric.hpp).
#pragma once

#include <memory>

#include "parsimap/core/quadratic_form.hpp"
#include "parsimap/core/work.hpp"
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

// The kernel matrix of many samples as a solver sees it, computed where it is asked for and never held as a whole.
// Panels of it are shared between threads; values do not depend on how many there are.
class KernelForm final : public QuadraticForm {
 public:
  // K_ij = k(x_i, x_j) for the rows of `spectra` (n x d). Holds their n x (p + d) coordinates in the kernel's metric.
  // `work` is told of the operations of all kernel values, by several threads at a time.
  KernelForm(const MahalanobisKernel& kernel, const Matrix& spectra, Work work = {}, int threads = 1);

  [[nodiscard]] Index size() const override { return coordinates_.rows(); }
  [[nodiscard]] Matrix block(const Indices& rows, const Indices& columns) const override;
  [[nodiscard]] Vector product(const Indices& columns, const Vector& coefficients) const override;
  [[nodiscard]] Matrix panel(Index first, Index count) const override;
  // Holds the coordinates of these samples again.
  [[nodiscard]] std::unique_ptr<const QuadraticForm> restricted(Indices rows) const override;

 private:
  KernelForm(const KernelForm& whole, const Indices& rows);

  Matrix coordinates_;  // in which the kernel is exp(-1/2 |a - b|^2)
  Vector norms_;        // 1/2 |a|^2
  Work work_;
  int threads_;
};

// Operations of a kernel value, of samples with so many coordinates.
inline Index kernel_operations(Index coordinates) {
  constexpr Index kExponential = 15;
  return coordinates + kExponential;
}

}  // namespace parsimap
