// The kernel matrix of many samples as a solver sees it, computed where it is asked for and never held as a whole.
#pragma once

#include "parsimap/core/quadratic_form.hpp"
#include "parsimap/kernel/mahalanobis_kernel.hpp"

namespace parsimap {

class KernelForm final : public QuadraticForm {
 public:
  // K_ij = k(x_i, x_j) for the rows of `spectra` (n x d). Holds their n x (p + d) coordinates in the kernel's metric.
  KernelForm(const MahalanobisKernel& kernel, const Matrix& spectra);

  [[nodiscard]] Index size() const override { return coordinates_.rows(); }
  [[nodiscard]] Matrix block(const Indices& rows, const Indices& columns) const override;
  [[nodiscard]] Vector product(const Indices& columns, const Vector& coefficients) const override;

 private:
  Matrix coordinates_;  // in which the kernel is exp(-1/2 |a - b|^2)
  Vector norms_;        // 1/2 |a|^2
};

}  // namespace parsimap
