#include "classifier/class_distance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "parsimap/core/random.hpp"

#include "support/toy_problems.hpp"

namespace parsimap::test {
namespace {

constexpr Index kDimension = 7;

ClassGaussian some_gaussian() {
  const Vector mean = Random(4).normal_matrix(kDimension, 1).col(0);
  return {mean, {toy::orthonormal(kDimension, 2, 3), Vector{{5, 0.5}}, 0.02}};
}

// The inverse covariance as it is written.
Matrix inverse_covariance(const ClassGaussian& gaussian) {
  const SubspaceModel& subspace = gaussian.subspace;
  const Matrix along = subspace.directions * subspace.directions.transpose();
  return subspace.directions * subspace.variances.cwiseInverse().asDiagonal() * subspace.directions.transpose() +
         (Matrix::Identity(kDimension, kDimension) - along) / subspace.noise_variance;
}

}  // namespace

TEST_CASE("the distance is the geometric mean of those from the mean and from the nearest sample") {
  const ClassGaussian gaussian = some_gaussian();
  const Matrix inverse = inverse_covariance(gaussian);
  const Matrix samples = Random(5).normal_matrix(6, kDimension);
  const Matrix spectra = Random(6).normal_matrix(40, kDimension);
  const ClassDistance distance(gaussian, samples);
  const SquaredDistances found = distance(spectra);
  const Vector from_class = found.from_class();
  const auto squared = [&](const Vector& difference) { return difference.dot(inverse * difference); };
  for (Index i = 0; i < spectra.rows(); ++i) {
    const Vector x = spectra.row(i);
    const double from_mean = squared(x - gaussian.mean);
    REQUIRE(found.from_mean(i) == doctest::Approx(from_mean).epsilon(1e-9));
    double nearest = std::numeric_limits<double>::infinity();
    for (Index s = 0; s < samples.rows(); ++s) {
      const double from_sample = squared(x - samples.row(s).transpose());
      REQUIRE(found.from_samples(i, s) == doctest::Approx(from_sample).epsilon(1e-9));
      nearest = std::min(nearest, from_sample);
    }
    REQUIRE(from_class(i) == doctest::Approx(std::sqrt(from_mean * nearest)).epsilon(1e-9));
  }
  CHECK(distance(samples).from_class().maxCoeff() < 1e-4 * from_class.minCoeff());
}

TEST_CASE("without samples it is the squared Mahalanobis distance from the mean") {
  const ClassGaussian gaussian = some_gaussian();
  const Matrix spectra = Random(6).normal_matrix(40, kDimension);
  const Vector found = ClassDistance(gaussian, Matrix())(spectra).from_class();
  CHECK((found - squared_mahalanobis(gaussian, spectra)).cwiseAbs().maxCoeff() < 1e-9 * found.maxCoeff());
}

TEST_CASE("a damaged spectrum has no distance, and does not change those of others") {
  Matrix spectra = Random(6).normal_matrix(3, kDimension);
  const ClassDistance distance(some_gaussian(), Random(5).normal_matrix(6, kDimension));
  const Vector before = distance(spectra).from_class();
  spectra(1, 3) = std::numeric_limits<double>::quiet_NaN();
  const Vector after = distance(spectra).from_class();
  CHECK(std::isnan(after(1)));
  CHECK(after(0) == before(0));
  CHECK(after(2) == before(2));
}

}  // namespace parsimap::test
