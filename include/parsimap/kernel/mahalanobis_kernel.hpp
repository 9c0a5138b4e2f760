// A Gaussian kernel in the metric of one class (paper, equations 9 to 11):
//
//   k(x, z) = exp(-1/2 [ sum_{l<=p} w_l (q_l'(x - z))^2 + w_0 |x - z|^2 ])
//
// HDDA-Mahalanobis with all terms, PCA-Mahalanobis with w_0 = 0, Gaussian without directions.
#pragma once

#include "parsimap/core/types.hpp"

namespace parsimap {

class MahalanobisKernel {
 public:
  // `directions` d x p with orthonormal columns (d x 0 for the Gaussian kernel), `weights` p, all weights >= 0.
  MahalanobisKernel(Matrix directions, Vector weights, double isotropic_weight);

  // k(x_i, z_j) for rows x_i of `x` (n x d) and z_j of `z` (m x d): n x m.
  [[nodiscard]] Matrix block(const Matrix& x, const Matrix& z) const;

  // Coordinates in which the kernel is exp(-1/2 |a - b|^2), n x (p + d), or n x p where the isotropic weight is 0.
  [[nodiscard]] Matrix map(const Matrix& spectra) const;

 private:
  Matrix directions_;
  Vector weights_;
  double isotropic_weight_;
};

}  // namespace parsimap
