#include "parsimap/spatial/principal_components.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "support/memory_scene.hpp"
#include "unit/scene/plain_scene.hpp"

using namespace parsimap;

namespace {

constexpr Index kCorrelatedWidth = 70;
constexpr Index kCorrelatedHeight = 50;

// Bands that depend on three things that vary by 9, 3 and 1, far from zero; band 1 is constant.
Spectra correlated_values() {
  Random random(4);
  Matrix spectra = random.normal_matrix(kCorrelatedWidth * kCorrelatedHeight, 3) * Vector{{9, 3, 1}}.asDiagonal() *
                   random.normal_matrix(3, 6);
  spectra.array() += 1e4;
  spectra.col(1).setConstant(7);
  return spectra.cast<float>();
}

test::MemoryScene correlated_scene(const Spectra& values) {
  return test::plain_scene("scene", kCorrelatedWidth, values.rows() / kCorrelatedWidth, values);
}

}  // namespace

TEST_CASE("principal components: they are those of the covariance of all pixels of a small scene") {
  Spectra values = correlated_values();
  test::MemoryScene scene = correlated_scene(values);
  const PrincipalComponents found = principal_components(scene, {0, 1, 2, 3, 4, 5}, 3);
  const Matrix centred = values.cast<double>().rowwise() - values.cast<double>().colwise().mean();
  const Matrix covariance = centred.transpose() * centred / static_cast<double>(values.rows());
  CHECK((found.mean - values.cast<double>().colwise().mean().transpose()).norm() < 1e-8 * found.mean.norm());
  CHECK((found.directions.transpose() * found.directions - Matrix::Identity(3, 3)).norm() < 1e-12);
  const Matrix expected = found.deviations.array().square().matrix().asDiagonal();
  CHECK((found.directions.transpose() * covariance * found.directions - expected).norm() < 1e-8 * expected.norm());
  // Nothing is left: three directions hold all that varies, and most comes first.
  CHECK(found.deviations.squaredNorm() == doctest::Approx(covariance.trace()).epsilon(1e-6));
  CHECK(found.deviations(0) > found.deviations(1));
  CHECK(found.deviations(1) > found.deviations(2));
  for (const auto direction : found.directions.colwise()) {
    CHECK(direction.maxCoeff() == direction.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("principal components: neither storage blocks nor pixels without a value count") {
  Spectra values = correlated_values();
  for (Index i = 0; i < values.rows(); i += 7) {
    values(i, i % 3) = std::numeric_limits<float>::quiet_NaN();
  }
  test::MemoryScene scene = correlated_scene(values);
  const PrincipalComponents found = principal_components(scene, {0, 2, 3, 5}, 2);
  scene.set_block_size(16, 16);
  const PrincipalComponents again = principal_components(scene, {0, 2, 3, 5}, 2);
  CHECK(found.mean == again.mean);
  CHECK(found.directions == again.directions);
  CHECK(found.deviations == again.deviations);
  CHECK(found.mean.allFinite());
}

TEST_CASE("principal components: there are no more than directions that vary, and without any it is an error") {
  Spectra values = correlated_values();
  test::MemoryScene scene = correlated_scene(values);
  CHECK(principal_components(scene, {0, 1}, 2).directions.cols() == 1);
  CHECK(principal_components(scene, {0, 2}, 3).directions.cols() == 2);
  CHECK(principal_components(scene, {0, 2}, 1).directions.cols() == 1);
  values.setConstant(3);
  test::MemoryScene constant = correlated_scene(values);
  CHECK_THROWS_AS(principal_components(constant, {0, 1, 2}, 1), DataError);
  values.setConstant(std::numeric_limits<float>::quiet_NaN());
  test::MemoryScene empty = correlated_scene(values);
  CHECK_THROWS_WITH_AS(principal_components(empty, {0, 1, 2}, 1),
                       "scene: no pixel has a value in every band used, so there are no principal components",
                       DataError);
}
