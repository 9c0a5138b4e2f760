#include "class_distance.hpp"

namespace parsimap {

static MahalanobisKernel metric_of(const SubspaceModel& subspace) {
  return MahalanobisKernel({subspace.directions, subspace.variances.cwiseInverse(), 1 / subspace.noise_variance});
}

ClassDistance::ClassDistance(const ClassGaussian& gaussian, const Matrix& samples)
    : mean_(gaussian.mean), metric_(metric_of(gaussian.subspace)), samples_(0, gaussian.mean.size()) {
  if (samples.rows() > 0) {
    samples_ = metric_.map(samples.rowwise() - mean_.transpose());
  }
}

SquaredDistances ClassDistance::operator()(const Matrix& spectra) const {
  const Matrix coordinates = metric_.map(spectra.rowwise() - mean_.transpose());
  SquaredDistances result{coordinates.rowwise().squaredNorm(), -2 * coordinates * samples_.transpose()};
  // |a - s|^2 = |a|^2 + |s|^2 - 2 a's; rounding may make it slightly negative.
  result.from_samples.colwise() += result.from_mean;
  result.from_samples.rowwise() += samples_.rowwise().squaredNorm().transpose();
  result.from_samples = result.from_samples.cwiseMax(0.0);
  return result;
}

Vector SquaredDistances::from_class() const {
  if (from_samples.cols() == 0) {
    return from_mean;
  }
  return from_mean.cwiseProduct(from_samples.rowwise().minCoeff()).cwiseSqrt();
}

}  // namespace parsimap
