// A class as a Gaussian in its subspace model: how far spectra are from it, in its own variances.
#pragma once

#include "parsimap/hdda/subspace_model.hpp"

namespace parsimap {

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
