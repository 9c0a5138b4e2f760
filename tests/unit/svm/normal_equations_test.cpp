#include "svm/normal_equations.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

#include "support/toy_problems.hpp"

using namespace parsimap;

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
