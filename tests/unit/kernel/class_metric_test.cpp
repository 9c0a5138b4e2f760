#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/kernel/kernel.hpp"

#include "support/toy_problems.hpp"

namespace parsimap::test {
namespace {

SubspaceModel model_of(const Vector& variances, double noise, Index bands) {
  return {toy::orthonormal(bands, variances.size(), 3), variances, noise};
}

}  // namespace

TEST_CASE("metric: a term for profiles is not touched by what scales the spectra") {
  const ClassMetric metric = with_profile({Matrix(3, 0), Vector(), 2.0}, {4, 0.5, 0.25});
  CHECK(metric.profile == ProfileTerm{4, 0.5, 0.25});
  CHECK(scaled(metric, 3).profile == metric.profile);
  CHECK(scaled(metric, 3).rest_weight == 6);
}

TEST_CASE("class metric: damping 1 is the Mahalanobis distance of the model, up to one factor") {
  const SubspaceModel model = model_of(Vector{{9, 4}}, 0.25, 6);
  const ClassMetric metric = damped_metric(model, 1, 12);
  CHECK(metric.weights(0) * 9 == doctest::Approx(metric.weights(1) * 4));
  CHECK(metric.weights(0) * 9 == doctest::Approx(metric.rest_weight * 0.25));
  // Two samples of the model differ by twice the variance in each of six directions.
  CHECK(2 * 6 * metric.weights(0) * 9 == doctest::Approx(12));
  // Directions in which the class varies count less: the printed family has no such member.
  CHECK((metric.weights.array() < metric.rest_weight).all());
}

TEST_CASE("class metric: samples of the model have the mean squared distance that was asked for") {
  const SubspaceModel model = model_of(Vector{{16, 2}}, 0.5, 5);
  Random random(4);
  const Index n = 4000;
  Matrix x = std::sqrt(0.5) * random.normal_matrix(n, 5);
  const Matrix along = x * model.directions;
  x += along * ((model.variances / 0.5).cwiseSqrt().array() - 1).matrix().asDiagonal() * model.directions.transpose();
  for (const double damping : {0.0, 0.5, 1.0}) {
    const Matrix mapped = MahalanobisKernel(damped_metric(model, damping, 3)).map(x);
    const double mean = 2 * (mapped.rowwise() - mapped.colwise().mean()).squaredNorm() / static_cast<double>(n);
    CHECK(mean == doctest::Approx(3).epsilon(0.05));
  }
}

TEST_CASE("class metric: without damping it is Gaussian, and without variance too") {
  const ClassMetric gaussian = damped_metric(model_of(Vector{{9, 4}}, 0.25, 6), 0, 2);
  CHECK(gaussian.directions.cols() == 0);
  CHECK(gaussian.rest_weight == doctest::Approx(2 / (2 * (9 + 4 + 4 * 0.25))));
  const ClassMetric flat = damped_metric(model_of(Vector(0), 0, 6), 1, 2);
  CHECK(flat.directions.rows() == 6);
  CHECK(flat.rest_weight == 2);
}

TEST_CASE("class metric: directions alone have no weight outside of them; a factor scales all weights") {
  const SubspaceModel model = model_of(Vector{{9, 4}}, 0.25, 6);
  const ClassMetric metric = damped_directions(model, 1, 8);
  CHECK(metric.rest_weight == 0);
  CHECK(metric.weights(0) * 9 == doctest::Approx(2));
  const ClassMetric twice = scaled(damped_metric(model, 0.5, 1), 2);
  CHECK(twice.weights.isApprox(damped_metric(model, 0.5, 2).weights));
  CHECK(twice.rest_weight == doctest::Approx(damped_metric(model, 0.5, 2).rest_weight));
}

TEST_CASE("class metric: variances that vanish are floored") {
  const ClassMetric metric = damped_metric(model_of(Vector{{1, 1e-30}}, 0, 4), 1, 1);
  CHECK(metric.weights(1) == doctest::Approx(1e8 * metric.weights(0)));
  CHECK(metric.rest_weight == doctest::Approx(1e8 * metric.weights(0)));
}

TEST_CASE("kernel family: names go both ways, unknown ones are refused") {
  for (const KernelFamily family : {KernelFamily::hdda, KernelFamily::pca, KernelFamily::gaussian}) {
    CHECK(parse_kernel_family(to_string(family)) == family);
  }
  CHECK_THROWS_WITH_AS(parse_kernel_family("rbf"), "kernel 'rbf' is unknown; it must be hdda, pca or gaussian",
                       ConfigError);
}

}  // namespace parsimap::test
