#include "selection/radius_margin.hpp"

#include <doctest/doctest.h>

#include "support/finite_differences.hpp"
#include "support/toy_geometry.hpp"

using namespace parsimap;

TEST_CASE("radius-margin: two samples in closed form, value and derivative in C") {
  // M^2 = 2 / (1 - k + 1/C), R^2 = (1 - k + 1/C) / 2 with k = k(x_1, x_2): T = 1 = n - 1 whatever k and C.
  const Matrix x = (Matrix(2, 1) << 0.0, 1.3).finished();
  const TrainingGeometry geometry(Matrix(2, 0), std::make_shared<const Matrix>(squared_distances(x)));
  RadiusMargin criterion(geometry, (Vector(2) << 1, -1).finished());
  const CriterionValue value = criterion.evaluate({{Vector(0), 0.7}, 3.0}, true);
  CHECK(value.value == doctest::Approx(1.0));
  CHECK(value.gradient.cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("radius-margin: the gradient agrees with central differences, all three kernels") {
  const toy::ToyGeometry toy(60, 6, 3, 0.6, 21);
  const Vector hdda_theta = (Vector(5) << -1.0, 0.3, -2.0, -1.5, 1.0).finished();
  for (const double log_c : {-1.0, 1.0, 5.0}) {
    INFO("log C = ", log_c);
    Vector theta = hdda_theta;
    theta(4) = log_c;
    const TrainingGeometry hdda = toy.hdda();
    RadiusMargin full(hdda, toy.problem.labels);
    CHECK(toy::gradient_error(full, theta, 3, true) < 1e-6);
    const TrainingGeometry pca = toy.pca();
    RadiusMargin directional(pca, toy.problem.labels);
    CHECK(toy::gradient_error(directional, (Vector(4) << theta.head(3), log_c).finished(), 3, false) < 1e-6);
    const TrainingGeometry gaussian = toy.gaussian();
    RadiusMargin isotropic(gaussian, toy.problem.labels);
    CHECK(toy::gradient_error(isotropic, (Vector(2) << -1.5, log_c).finished(), 0, true) < 1e-6);
  }
}

TEST_CASE("radius-margin: the trivial plateau is n - 1") {
  const toy::ToyGeometry toy(40, 4, 2, 0.5, 3);
  const TrainingGeometry geometry = toy.gaussian();
  RadiusMargin criterion(geometry, toy.problem.labels);
  CHECK(criterion.evaluate({{Vector(0), 0.2}, 1e-6}, false).value == doctest::Approx(39).epsilon(1e-4));
}

TEST_CASE("radius-margin: the HDDA kernel's limits give the values of the other two") {
  const toy::ToyGeometry toy(50, 5, 2, 0.8, 9);
  const TrainingGeometry hdda = toy.hdda();
  const TrainingGeometry pca = toy.pca();
  const TrainingGeometry gaussian = toy.gaussian();
  const Vector w = (Vector(2) << 0.6, 0.9).finished();
  const auto value = [&](const TrainingGeometry& geometry, const KernelWeights& weights) {
    return RadiusMargin(geometry, toy.problem.labels).evaluate({weights, 20}, false).value;
  };
  CHECK(value(hdda, {1e-14 * w, 0.3}) == doctest::Approx(value(gaussian, {Vector(0), 0.3})));
  CHECK(value(hdda, {w, 1e-14}) == doctest::Approx(value(pca, {w, 0.0})));
}

TEST_CASE("radius-margin: the value does not depend on the evaluations before") {
  const toy::ToyGeometry toy(50, 5, 2, 0.8, 9);
  const TrainingGeometry geometry = toy.hdda();
  const Hyperparameters here{{Vector::Constant(2, 0.5), 0.2}, 30};
  RadiusMargin fresh(geometry, toy.problem.labels);
  RadiusMargin used(geometry, toy.problem.labels);
  used.evaluate({{Vector::Constant(2, 5.0), 2.0}, 0.1}, true);
  CHECK(used.evaluate(here, false).value == doctest::Approx(fresh.evaluate(here, false).value).epsilon(1e-10));
}

TEST_CASE("radius-margin: the same bits for any number of threads") {
  const toy::ToyGeometry toy(900, 5, 2, 0.8, 9);
  const Hyperparameters parameters{{(Vector(2) << 0.6, 0.9).finished(), 0.1}, 20};
  const TrainingGeometry geometry = toy.hdda();
  const CriterionValue one = RadiusMargin(geometry, toy.problem.labels).evaluate(parameters, true);
  for (const int threads : {2, 3, 7}) {
    const CriterionValue many = RadiusMargin(geometry, toy.problem.labels, {}, threads).evaluate(parameters, true);
    CHECK(many.value == one.value);
    CHECK(many.gradient == one.gradient);
  }
}
