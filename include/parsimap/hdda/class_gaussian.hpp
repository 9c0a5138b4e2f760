// A class as a Gaussian in its subspace model: how far spectra are from it, in its own variances.
#pragma once

#include "parsimap/hdda/subspace_model.hpp"

namespace parsimap {

struct ClassGaussian {
  Vector mean;             // d
  SubspaceModel subspace;  // noise_variance > 0
};

// The Gaussian of the rows of `spectra` (n x d, n >= 1). The noise variance is at least `least_noise` > 0: few samples
// may lie in their own subspace entirely.
ClassGaussian class_gaussian(const Matrix& spectra, const DimensionRule& rule, double least_noise);

// (x - mean)' S^-1 (x - mean) of the rows x of `spectra` (m x d) with S = Q diag(a) Q' + b (I - Q Q'), without S:
// sum_i (q_i'(x - mean))^2 / a_i + (|x - mean|^2 - sum_i (q_i'(x - mean))^2) / b.
Vector squared_mahalanobis(const ClassGaussian& gaussian, const Matrix& spectra);

}  // namespace parsimap
