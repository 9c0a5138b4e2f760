#include "parsimap/hdda/subspace_model.hpp"

#include <Eigen/LU>
#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

Matrix uneven_spectra(Index n, std::uint64_t seed) {
  Matrix spectra = Random(seed).normal_matrix(n, 7);
  spectra.col(2) *= 9;
  spectra.col(5) += 4 * spectra.col(1);
  return spectra.array() + 3;
}

}  // namespace

TEST_CASE("subspace model: signal variances are eigenvalues, the noise variance shares out the rest") {
  const Matrix x = Random(4).normal_matrix(80, 10) * Vector::LinSpaced(10, 3, 0.5).asDiagonal();
  const ClassStatistics statistics = class_statistics(x);
  const SubspaceModel model = subspace_model(statistics, {DimensionMethod::fixed, 4});
  CHECK(model.dimension() == 4);
  CHECK(model.variances == statistics.eigenvalues.head(4));
  CHECK(model.noise_variance == doctest::Approx(statistics.eigenvalues.tail(6).mean()));
}

TEST_CASE("subspace model: the explicit inverse is the inverse of the modelled covariance") {
  const Matrix x = Random(6).normal_matrix(12, 20);  // fewer samples than bands
  const SubspaceModel model = subspace_model(class_statistics(x), {DimensionMethod::fixed, 5});
  const Matrix& q = model.directions;
  const Matrix covariance = q * (model.variances.array() - model.noise_variance).matrix().asDiagonal() * q.transpose() +
                            model.noise_variance * Matrix::Identity(20, 20);
  const Matrix inverse =
      q * (model.variances.cwiseInverse().array() - 1 / model.noise_variance).matrix().asDiagonal() * q.transpose() +
      Matrix::Identity(20, 20) / model.noise_variance;
  CHECK((covariance * inverse - Matrix::Identity(20, 20)).norm() < 1e-9);
  CHECK(covariance.trace() == doctest::Approx(class_statistics(x).trace));
}

TEST_CASE("the distance is that of the covariance written out") {
  const ClassGaussian gaussian =
      class_gaussian(class_statistics(uneven_spectra(40, 1)), 39, {{DimensionMethod::fixed, 2}, 1e-9});
  const SubspaceModel& subspace = gaussian.subspace;
  const Matrix q = subspace.directions;
  const Matrix covariance = q * subspace.variances.asDiagonal() * q.transpose() +
                            subspace.noise_variance * (Matrix::Identity(7, 7) - q * q.transpose());
  const Matrix spectra = uneven_spectra(10, 2);
  const Vector distances = squared_mahalanobis(gaussian, spectra);
  for (Index i = 0; i < spectra.rows(); ++i) {
    const Vector centred = spectra.row(i).transpose() - gaussian.mean;
    CHECK(distances(i) == doctest::Approx(centred.dot(covariance.inverse() * centred)).epsilon(1e-10));
  }
}

TEST_CASE("few samples leave some of their variance to the noise, whatever the rule") {
  // Seven samples of seven bands: variance:0.9999 would take all six directions that they have.
  const Matrix spectra = uneven_spectra(7, 5);
  const ClassStatistics statistics = class_statistics(spectra);
  const ClassGaussian gaussian = class_gaussian(statistics, 6, {{DimensionMethod::variance, 0.9999}, 1e-9});
  CHECK(gaussian.subspace.dimension() == 3);
  CHECK(gaussian.subspace.noise_variance == doctest::Approx(statistics.eigenvalues.tail(3).sum() / 4));
  const ClassGaussian pair = class_gaussian(class_statistics(spectra.topRows(2)), 1, {{}, 1e-9});
  CHECK(pair.subspace.dimension() == 0);
  CHECK(pair.subspace.noise_variance == doctest::Approx((spectra.row(0) - spectra.row(1)).squaredNorm() / 28));
}

TEST_CASE("variances of next to nothing are replaced by the least") {
  const Matrix spectra = 1e-9 * uneven_spectra(30, 6);
  const ClassGaussian gaussian = class_gaussian(class_statistics(spectra), 29, {{DimensionMethod::fixed, 2}, 0.25});
  CHECK(gaussian.subspace.variances == Vector::Constant(2, 0.25));
  CHECK(gaussian.subspace.noise_variance == 0.25);
}

TEST_CASE("the mean distance of the samples themselves is the number of bands") {
  const Matrix spectra = uneven_spectra(200, 3);
  const ClassGaussian gaussian = class_gaussian(class_statistics(spectra), 199, {{DimensionMethod::fixed, 3}, 1e-9});
  CHECK(squared_mahalanobis(gaussian, spectra).mean() == doctest::Approx(7));
}

TEST_CASE("a class without noise, or without any variance, gets the least noise") {
  const Matrix plane = uneven_spectra(30, 4).leftCols(2) * Matrix::Identity(2, 7);
  const ClassGaussian flat = class_gaussian(class_statistics(plane), 29, {{DimensionMethod::fixed, 2}, 0.25});
  CHECK(flat.subspace.noise_variance == 0.25);
  Matrix off = plane.topRows(1);
  off(0, 6) += 3;
  CHECK(squared_mahalanobis(flat, off)(0) - squared_mahalanobis(flat, plane.topRows(1))(0) == doctest::Approx(36));

  const ClassGaussian point = class_gaussian(class_statistics(Matrix::Constant(5, 7, 2)), 4, {{}, 0.25});
  CHECK(point.subspace.dimension() == 0);
  CHECK(squared_mahalanobis(point, Matrix::Constant(1, 7, 3))(0) == doctest::Approx(7 / 0.25));
}

}  // namespace parsimap::test
