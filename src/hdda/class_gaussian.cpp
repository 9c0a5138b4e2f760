#include "parsimap/hdda/class_gaussian.hpp"

#include <algorithm>

namespace parsimap {

ClassGaussian class_gaussian(const Matrix& spectra, const DimensionRule& rule, double least_noise) {
  const ClassStatistics statistics = class_statistics(spectra);
  ClassGaussian gaussian{statistics.mean, subspace_model(statistics, rule)};
  gaussian.subspace.noise_variance = std::max(gaussian.subspace.noise_variance, least_noise);
  return gaussian;
}

Vector squared_mahalanobis(const ClassGaussian& gaussian, const Matrix& spectra) {
  const SubspaceModel& subspace = gaussian.subspace;
  const Matrix centred = spectra.rowwise() - gaussian.mean.transpose();
  const Matrix projected = centred * subspace.directions;
  const Vector noise = (centred.rowwise().squaredNorm() - projected.rowwise().squaredNorm()).cwiseMax(0.0);
  return projected.cwiseAbs2() * subspace.variances.cwiseInverse() + noise / subspace.noise_variance;
}

}  // namespace parsimap
