#include "parsimap/hdda/class_gaussian.hpp"

#include <Eigen/LU>
#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

using namespace parsimap;

namespace {

Matrix stretched(Index n, std::uint64_t seed) {
  Matrix spectra = Random(seed).normal_matrix(n, 7);
  spectra.col(2) *= 9;
  spectra.col(5) += 4 * spectra.col(1);
  return spectra.array() + 3;
}

}  // namespace

TEST_CASE("the distance is that of the covariance written out") {
  const ClassGaussian gaussian = class_gaussian(stretched(40, 1), {DimensionMethod::fixed, 2}, 1e-9);
  const SubspaceModel& subspace = gaussian.subspace;
  const Matrix q = subspace.directions;
  const Matrix covariance = q * subspace.variances.asDiagonal() * q.transpose() +
                            subspace.noise_variance * (Matrix::Identity(7, 7) - q * q.transpose());
  const Matrix spectra = stretched(10, 2);
  const Vector distances = squared_mahalanobis(gaussian, spectra);
  for (Index i = 0; i < spectra.rows(); ++i) {
    const Vector centred = spectra.row(i).transpose() - gaussian.mean;
    CHECK(distances(i) == doctest::Approx(centred.dot(covariance.inverse() * centred)).epsilon(1e-10));
  }
}

TEST_CASE("the mean distance of the samples themselves is the number of bands") {
  const Matrix spectra = stretched(200, 3);
  const ClassGaussian gaussian = class_gaussian(spectra, {DimensionMethod::fixed, 3}, 1e-9);
  CHECK(squared_mahalanobis(gaussian, spectra).mean() == doctest::Approx(7));
}

TEST_CASE("a class without noise, or without any variance, gets the least noise") {
  const Matrix plane = stretched(30, 4).leftCols(2) * Matrix::Identity(2, 7);
  const ClassGaussian flat = class_gaussian(plane, {DimensionMethod::fixed, 2}, 0.25);
  CHECK(flat.subspace.noise_variance == 0.25);
  Matrix off = plane.topRows(1);
  off(0, 6) += 3;
  CHECK(squared_mahalanobis(flat, off)(0) - squared_mahalanobis(flat, plane.topRows(1))(0) == doctest::Approx(36));

  const ClassGaussian point = class_gaussian(Matrix::Constant(5, 7, 2), {}, 0.25);
  CHECK(point.subspace.dimension() == 0);
  CHECK(squared_mahalanobis(point, Matrix::Constant(1, 7, 3))(0) == doctest::Approx(7 / 0.25));
}
