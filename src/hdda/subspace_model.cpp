#include "parsimap/hdda/subspace_model.hpp"

#include <algorithm>

namespace parsimap {

SubspaceModel subspace_model(const ClassStatistics& statistics, const DimensionRule& rule) {
  return subspace_model(statistics, intrinsic_dimension(statistics, rule));
}

SubspaceModel subspace_model(const ClassStatistics& statistics, Index p) {
  SubspaceModel model;
  model.directions = statistics.eigenvectors.leftCols(p);
  model.variances = statistics.eigenvalues.head(p);
  const double rest = std::max(0.0, statistics.trace - model.variances.sum());
  model.noise_variance = rest / static_cast<double>(std::max<Index>(1, statistics.bands - p));
  return model;
}

ClassGaussian class_gaussian(const ClassStatistics& statistics, Index freedom, const GaussianRule& rule) {
  const Index p = std::min(intrinsic_dimension(statistics, rule.dimension), freedom / 2);
  ClassGaussian gaussian{statistics.mean, subspace_model(statistics, p)};
  SubspaceModel& subspace = gaussian.subspace;
  subspace.variances = subspace.variances.cwiseMax(rule.least_variance);
  subspace.noise_variance = std::max(subspace.noise_variance, rule.least_variance);
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
