// A Gaussian kernel in the metric of one class, and what is added to it for profiles (kernel/class_metric.hpp).
//
// Samples are rows of d columns, one for each band. Where the metric has a term for profiles, the q columns of their
// features follow.
#pragma once

#include <memory>

#include "parsimap/core/quadratic_form.hpp"
#include "parsimap/core/work.hpp"
#include "parsimap/kernel/class_metric.hpp"

namespace parsimap {

class MahalanobisKernel {
 public:
  explicit MahalanobisKernel(ClassMetric metric);

  [[nodiscard]] const ProfileTerm& profile() const { return metric_.profile; }

  // k(x_i, z_j) for rows x_i of `x` (n x (d + q)) and z_j of `z` (m x (d + q)): n x m.
  [[nodiscard]] Matrix block(const Matrix& x, const Matrix& z) const;

  // Coordinates in which the kernel of the spectra is exp(-1/2 |a - b|^2): sqrt(w_0) x + Q diag(sqrt(v) - sqrt(w_0))
  // Q'x, n x d, or diag(sqrt(v)) Q'x, n x p, where w_0 is 0. Their distances are never small differences of large
  // numbers. Behind them are those of the profiles, sqrt(weight) p, n x q.
  [[nodiscard]] Matrix map(const Matrix& samples) const;

  // k of samples that have these coordinates, rows of `a` and of `b`, whose origin should be near to them.
  [[nodiscard]] Matrix values(const Matrix& a, const Matrix& b) const;

 private:
  [[nodiscard]] Matrix map_spectra(const Eigen::Ref<const Matrix>& spectra) const;

  ClassMetric metric_;
};

// The kernel matrix of many samples as a solver sees it, computed where it is asked for and never held as a whole.
// Panels of it are shared between threads; values do not depend on how many there are.
class KernelForm final : public QuadraticForm {
 public:
  // K_ij = k(x_i, x_j) for the rows of `samples` (n x (d + q)). Holds their coordinates as of map().
  // `work` is told of the operations of all kernel values, by several threads at a time.
  KernelForm(const MahalanobisKernel& kernel, const Matrix& samples, Work work = {}, int threads = 1);

  [[nodiscard]] Index size() const override { return coordinates_.rows(); }
  [[nodiscard]] Matrix block(const Indices& rows, const Indices& columns) const override;
  [[nodiscard]] Vector product(const Indices& columns, const Vector& coefficients) const override;
  [[nodiscard]] Matrix panel(Index first, Index count) const override;
  // Holds the coordinates of these samples again.
  [[nodiscard]] std::unique_ptr<const QuadraticForm> restricted(Indices rows) const override;

 private:
  KernelForm(const KernelForm& whole, const Indices& rows);

  ProfileTerm profile_;
  Matrix coordinates_;  // of map()
  Matrix norms_;        // 1/2 |a|^2 of the spectra and, where the kernel has a term for them, of the profiles
  Work work_;
  int threads_;
};

// Operations of a kernel value, of samples with so many coordinates, of which so many are features of profiles.
inline Index kernel_operations(Index coordinates, Index features = 0) {
  constexpr Index kExponential = 15;
  return coordinates + (features > 0 ? 2 : 1) * kExponential;
}

}  // namespace parsimap
