#include "parsimap/selection/leave_one_out.hpp"

#include <Eigen/LU>
#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/selection/logistic_calibration.hpp"

#include "support/finite_differences.hpp"
#include "support/toy_geometry.hpp"

using namespace parsimap;

namespace {

struct Solved {
  Matrix kernel;
  MarginSolution margin;
  Matrix inverse;
  Vector decisions;
};

Solved solve(const toy::TwoClasses& problem, double weight, double C) {
  Solved solved;
  solved.kernel = toy::gaussian_kernel(problem.spectra, weight);
  solved.margin = solve_margin(DenseQuadraticForm(solved.kernel), problem.labels, C);
  solved.inverse = leave_one_out_inverse(solved.margin);
  solved.decisions = leave_one_out_decisions(solved.margin, problem.labels, solved.inverse.diagonal());
  return solved;
}

Indices all_but(Index n, const Indices& left_out) {
  Indices rows;
  for (Index i = 0; i < n; ++i) {
    if (std::find(left_out.begin(), left_out.end(), i) == left_out.end()) {
      rows.push_back(i);
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("leave-one-out: B is the block of the inverse of the bordered system") {
  const toy::TwoClasses problem = toy::two_classes(30, 3, 0.5, 2);
  const Solved solved = solve(problem, 0.4, 8);
  const auto s = static_cast<Index>(solved.margin.support.size());
  Matrix h = Matrix::Ones(s + 1, s + 1);
  h.topLeftCorner(s, s) = solved.kernel(solved.margin.support, solved.margin.support);
  h.topLeftCorner(s, s).diagonal().array() += 1.0 / 8;
  h(s, s) = 0;
  CHECK((solved.inverse - h.inverse().topLeftCorner(s, s)).norm() < 1e-8);
}

TEST_CASE("leave-one-out: the closed form is the machine retrained without the sample") {
  const toy::TwoClasses problem = toy::two_classes(40, 3, 0.6, 5);
  const double C = 0.5;
  const Solved solved = solve(problem, 0.5, C);
  Index exact = 0;
  for (Index i = 0; i < 40; ++i) {
    const Indices rest = all_but(40, {i});
    const Matrix kernel = solved.kernel(rest, rest);
    const MarginSolution retrained = solve_margin(DenseQuadraticForm(kernel), problem.labels(rest), C);
    const double truth = (solved.kernel.row(i)(rest) * retrained.coefficients).value() + retrained.bias;
    Indices kept;
    for (const Index k : retrained.support) {
      kept.push_back(rest[static_cast<std::size_t>(k)]);
    }
    Indices expected = solved.margin.support;
    std::erase(expected, i);
    if (kept == expected) {
      ++exact;
      CHECK(solved.decisions(i) == doctest::Approx(truth).epsilon(1e-8));
    } else {
      CHECK(std::abs(solved.decisions(i) - truth) < 0.1);
    }
  }
  CHECK(exact > 25);
}

TEST_CASE("leave-one-out: the gradient agrees with central differences, all three kernels") {
  const toy::ToyGeometry toy(80, 6, 3, 0.9, 31);
  const Vector hdda_theta = (Vector(5) << -1.0, 0.3, -2.0, -1.5, 1.0).finished();
  for (const double log_c : {-1.5, 0.5, 3.0}) {
    INFO("log C = ", log_c);
    Vector theta = hdda_theta;
    theta(4) = log_c;
    const TrainingGeometry hdda = toy.hdda();
    LeaveOneOut full(hdda, toy.problem.labels);
    CHECK(toy::gradient_error(full, theta, 3, true, 1e-6) < 1e-5);
    const TrainingGeometry pca = toy.pca();
    LeaveOneOut directional(pca, toy.problem.labels);
    CHECK(toy::gradient_error(directional, (Vector(4) << theta.head(3), log_c).finished(), 3, false, 1e-6) < 1e-5);
    const TrainingGeometry gaussian = toy.gaussian();
    LeaveOneOut isotropic(gaussian, toy.problem.labels);
    CHECK(toy::gradient_error(isotropic, (Vector(2) << -1.5, log_c).finished(), 0, true, 1e-6) < 1e-5);
  }
}

TEST_CASE("leave-one-out: the criterion is the calibrated logistic loss of the left-out decision values") {
  const toy::ToyGeometry toy(30, 4, 2, 1.0, 8);
  const TrainingGeometry geometry = toy.gaussian();
  LeaveOneOut criterion(geometry, toy.problem.labels);
  const Solved solved = solve(toy.problem, 0.3, 4);
  const double loss = calibrate(solved.decisions, toy.problem.labels).loss;
  CHECK(criterion.evaluate({{Vector(0), 0.3}, 4}, false).value == doctest::Approx(loss));
}

TEST_CASE("leave-one-out: parts with the same geometry are the whole, however the samples are counted") {
  const toy::ToyGeometry toy(60, 5, 2, 0.9, 12);
  LeaveOneOut whole(toy.hdda(), toy.problem.labels);
  const Indices first = {0, 3, 5, 30, 31, 59};
  LeaveOneOut parts({{toy.hdda(), first}, {toy.hdda(), all_but(60, first)}}, toy.problem.labels);
  const Hyperparameters here{{(Vector(2) << 0.4, 0.1).finished(), 0.3}, 5};
  const CriterionValue one = whole.evaluate(here, true);
  const CriterionValue two = parts.evaluate(here, true);
  CHECK(two.value == doctest::Approx(one.value));
  CHECK((two.gradient - one.gradient).norm() < 1e-10);
}

TEST_CASE("leave-one-out: the gradient agrees with central differences where parts have directions of their own") {
  const toy::ToyGeometry toy(70, 6, 3, 0.9, 31);
  const Matrix others = toy.problem.spectra * toy::orthonormal(6, 3, 77);
  const Indices first = {0, 1, 6, 7, 20, 21, 22, 40, 41, 50, 61};
  LeaveOneOut criterion({{toy.hdda(), first}, {{others, toy.distances}, all_but(70, first)}}, toy.problem.labels);
  CHECK(toy::gradient_error(criterion, (Vector(5) << -1.0, 0.3, -2.0, -1.5, 0.5).finished(), 3, true, 1e-6) < 1e-5);
}

TEST_CASE("leave-one-out: the prior is half the squared logarithm of the weights, over n") {
  const toy::ToyGeometry toy(50, 5, 2, 0.8, 9);
  const Vector w = (Vector(2) << 1e-9, 1e-9).finished();
  const auto value = [&](double factor) {
    // Weights too small to change the kernel, against an isotropic weight that is smaller still.
    return LeaveOneOut(toy.hdda(), toy.problem.labels).evaluate({{factor * w, 1e-9}, 20}, false).value;
  };
  const double expected = 0.5 * 2 * (std::pow(std::log(4.0), 2) - std::pow(std::log(2.0), 2)) / 50;
  CHECK(value(3) - value(1) == doctest::Approx(expected).epsilon(1e-3));
}
