#include "svm/normal_equations.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/random.hpp"

#include "support/dense_basis_form.hpp"
#include "support/toy_problems.hpp"

namespace parsimap::test {

namespace {

struct Sums {
  Matrix matrix;
  Vector right;
};

Sums sums_over(const Indices& set, const Matrix& values, const Vector& labels, const Vector& penalties) {
  const Index order = values.cols() + 1;
  Sums sums{Matrix::Zero(order, order), Vector::Zero(order)};
  for (const Index i : set) {
    Vector p(order);
    p << values.row(i).transpose(), 1;
    sums.matrix += penalties(i) * p * p.transpose();
    sums.right += penalties(i) * labels(i) * p;
  }
  return sums;
}

}  // namespace

TEST_CASE("normal equations: sums over sets that follow one another are those of a loop") {
  const toy::TwoClasses problem = toy::two_classes(2500, 2, 1, 3);
  const Matrix values = Random(5).normal_matrix(2500, 7);
  const Matrix centres = Matrix::Identity(7, 7);
  const Vector penalties = Vector::LinSpaced(2500, 0.5, 3);
  const DenseBasisForm form(values, centres);
  const Work work;
  NormalEquations one(form, problem.labels, penalties, 1, work);
  NormalEquations three(form, problem.labels, penalties, 3, work);
  Indices even;
  Indices most;
  for (Index i = 0; i < 2500; ++i) {
    if (i % 2 == 0) {
      even.push_back(i);
    }
    if (i % 10 != 3) {
      most.push_back(i);
    }
  }
  for (const Indices& set : {toy::all_rows(2500), most, even, Indices{0, 1, 2}, even}) {
    one.move_to(set);
    three.move_to(set);
    CHECK(one.set() == set);
    const Sums sums = sums_over(set, values, problem.labels, penalties);
    const Matrix lower = one.matrix().triangularView<Eigen::Lower>();
    const Matrix expected = sums.matrix.triangularView<Eigen::Lower>();
    CHECK((lower - expected).norm() < 1e-10 * expected.norm());
    CHECK((one.right() - sums.right).norm() < 1e-10 * (1 + sums.right.norm()));
    CHECK(Matrix(three.matrix().triangularView<Eigen::Lower>()) == lower);
    CHECK(three.right() == one.right());
  }
}

TEST_CASE("squared hinge: samples inside the margin") {
  const Vector labels = (Vector(4) << 1, -1, 1, -1).finished();
  const Vector decision = (Vector(4) << 0.5, -1.0, 1.5, 0.2).finished();
  CHECK(inside_margin(labels, decision) == Indices{0, 3});
}

TEST_CASE("squared hinge: the line search ends where the objective is lowest") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Vector decision = random.normal_matrix(30, 1);
    Vector change = random.normal_matrix(30, 1);
    Vector labels(30);
    for (Index i = 0; i < 30; ++i) {
      labels(i) = i % 3 == 0 ? 1 : -1;
    }
    const Vector penalties = Vector::LinSpaced(30, 0.5, 2);
    const double inner = 0.4;
    const double curvature = 0.3;
    const auto objective = [&](double t) {
      const Eigen::ArrayXd slack = (1 - labels.array() * (decision + t * change).array()).max(0.0);
      return t * inner + 0.5 * t * t * curvature + 0.5 * (penalties.array() * slack.square()).sum();
    };
    // Only directions along which the objective falls are asked for.
    if (objective(1e-6) > objective(0)) {
      continue;
    }
    const double t = line_search({decision, change, inner, curvature}, labels, penalties);
    for (double other = 0; other < 5; other += 0.001) {
      REQUIRE(objective(t) <= objective(other) + 1e-12);
    }
  }
}

}  // namespace parsimap::test
