#include "selection/radius_margin.hpp"

#include <doctest/doctest.h>

#include "parsimap/selection/descent.hpp"

#include "support/finite_differences.hpp"
#include "support/toy_geometry.hpp"
#include "support/toy_problems.hpp"

namespace parsimap::test {
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

TEST_CASE("radius-margin: the trivial plateau depends on the shares of the classes") {
  const toy::ToyGeometry toy(40, 4, 2, 0.5, 3);
  const TrainingGeometry geometry = toy.gaussian();
  Vector labels = Vector::Constant(40, -1);
  for (const Index of_class : {1, 6, 20, 34}) {
    CAPTURE(of_class);
    labels.head(of_class).setOnes();
    const double plateau = 4.0 * static_cast<double>(of_class * (40 - of_class) * 39) / 1600;
    RadiusMargin criterion(geometry, labels);
    CHECK(criterion.evaluate({{Vector(0), 0.2}, 1e-6}, false).value == doctest::Approx(plateau).epsilon(1e-4));
    CHECK(is_trivial(0.995 * plateau, of_class, 40));
    CHECK_FALSE(is_trivial(0.98 * plateau, of_class, 40));
  }
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

namespace {

struct Case {
  toy::TwoClasses toy = toy::two_classes(40, 5, 0.5, 2);
  Matrix directions = toy::orthonormal(5, 2, 4);
  BinaryProblem problem{directions,
                        toy.spectra* directions,
                        std::make_shared<const Matrix>(squared_distances(toy.spectra)),
                        toy.labels,
                        (Vector(2) << 4.0, 0.25).finished(),
                        0.01};

  // Mean squared distance between samples in the kernel's metric.
  [[nodiscard]] double mean_distance(const Hyperparameters& h) const {
    double sum = 0;
    for (Index i = 0; i < 40; ++i) {
      for (Index j = 0; j < 40; ++j) {
        const Eigen::RowVectorXd difference = toy.spectra.row(i) - toy.spectra.row(j);
        sum += h.weights.isotropic * difference.squaredNorm();
        for (Index l = 0; l < h.weights.directional.size(); ++l) {
          sum += h.weights.directional(l) * std::pow(difference.dot(directions.col(l).transpose()), 2);
        }
      }
    }
    return sum / 1600;
  }
};

}  // namespace

TEST_CASE("search space: the scan spans scales of the metric, shapes between Euclidean and Mahalanobis, and C") {
  const Case c;
  const auto groups = SearchSpace(c.problem, KernelFamily::hdda).scan();
  CHECK(groups.size() == 16);
  for (const auto& group : groups) {
    REQUIRE(group.size() == 4);
    CHECK(c.mean_distance(group[0]) == doctest::Approx(0.3));
    CHECK(c.mean_distance(group[3]) == doctest::Approx(300));
    CHECK(group[0].C == group[3].C);
  }
  // The first shape is Euclidean, the third Mahalanobis: weights inverse to the variances.
  CHECK(groups[0][0].weights.directional(0) == doctest::Approx(groups[0][0].weights.isotropic));
  const KernelWeights& mahalanobis = groups[8][0].weights;
  CHECK(mahalanobis.directional(1) / mahalanobis.directional(0) == doctest::Approx(16));
  CHECK(mahalanobis.isotropic / mahalanobis.directional(0) == doctest::Approx(400));
}

TEST_CASE("search space: the Gaussian kernel has one shape, the PCA kernel no isotropic weight") {
  const Case c;
  const auto gaussian = SearchSpace(c.problem, KernelFamily::gaussian).scan();
  CHECK(gaussian.size() == 4);
  CHECK(gaussian[0][0].weights.directional.size() == 0);
  const auto pca = SearchSpace(c.problem, KernelFamily::pca).scan();
  CHECK(pca.size() == 16);
  CHECK(pca[0][0].weights.isotropic == 0);
}

TEST_CASE("search space: starts near a limit begin with the limit itself") {
  const Case c;
  const SearchSpace space(c.problem, KernelFamily::hdda);
  const auto from_gaussian = space.near_limit({{Vector(0), 0.7}, 12});
  CHECK(from_gaussian.back().weights.directional == Vector::Constant(2, 0.7));
  CHECK(from_gaussian.front().weights.directional.maxCoeff() < 1e-13);
  CHECK(from_gaussian.front().weights.isotropic == 0.7);
  const auto from_pca = space.near_limit({{Vector::Constant(2, 0.5), 0.0}, 12});
  CHECK(from_pca.front().weights.isotropic > 0);
  CHECK(from_pca.front().weights.isotropic < 1e-13);
  CHECK(from_pca.front().C == 12);
}

TEST_CASE("search space: every start lies in the box") {
  const Case c;
  for (const KernelFamily family : {KernelFamily::hdda, KernelFamily::pca, KernelFamily::gaussian}) {
    const SearchSpace space(c.problem, family);
    const bool isotropic = family != KernelFamily::pca;
    for (const auto& group : space.scan()) {
      for (const Hyperparameters& start : group) {
        const Vector theta = to_theta(start, isotropic);
        CHECK((theta.array() >= space.lower().array()).all());
        CHECK((theta.array() <= space.upper().array()).all());
      }
    }
  }
}

}  // namespace parsimap::test
