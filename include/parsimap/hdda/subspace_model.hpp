// The class model of high-dimensional discriminant analysis, submodel [a_ij b_i Q_i d_i]: covariance
// Q diag(a) Q' + b (I - Q Q'), with p signal directions and one noise variance (Bouveyron, Girard, Schmid 2007).
#pragma once

#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/hdda/intrinsic_dimension.hpp"

namespace parsimap {

struct SubspaceModel {
  Matrix directions;          // Q, d x p, orthonormal columns
  Vector variances;           // a, p, descending, > 0
  double noise_variance = 0;  // b = (trace - sum a) / (d - p), >= 0

  [[nodiscard]] Index dimension() const { return variances.size(); }
};

SubspaceModel subspace_model(const ClassStatistics& statistics, const DimensionRule& rule);

// With p directions, 0 <= p <= the number of eigenvalues.
SubspaceModel subspace_model(const ClassStatistics& statistics, Index p);

// A class as a Gaussian in its subspace model: how far spectra are from it, in its own variances.
struct ClassGaussian {
  Vector mean;             // d
  SubspaceModel subspace;  // variances and noise_variance > 0
};

struct GaussianRule {
  DimensionRule dimension;
  double least_variance = 0;  // of signal and noise, > 0: samples may be equal, or lie in a plane
};

// The Gaussian of `statistics`, of samples with `freedom` degrees of freedom: their number less that of the means they
// were centred on. It has half as many directions at most, whatever the rule of dimension says, so that the noise
// variance comes from samples, too: where the directions hold all of few samples there is nothing left, and the least
// variance would tell other samples of the class from these by any number of deviations.
ClassGaussian class_gaussian(const ClassStatistics& statistics, Index freedom, const GaussianRule& rule);

// (x - mean)' S^-1 (x - mean) of the rows x of `spectra` (m x d) with S = Q diag(a) Q' + b (I - Q Q'), without S:
// sum_i (q_i'(x - mean))^2 / a_i + (|x - mean|^2 - sum_i (q_i'(x - mean))^2) / b.
Vector squared_mahalanobis(const ClassGaussian& gaussian, const Matrix& spectra);

}  // namespace parsimap
