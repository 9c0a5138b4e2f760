#include "parsimap/hdda/subspace_model.hpp"

#include <Eigen/LU>
#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

using namespace parsimap;

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
