
#include "parsimap/svm/reduced_problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/svm/l2_svm.hpp"

#include "support/dense_basis_form.hpp"
#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

// Two classes and a Gaussian kernel between all samples and the first `centres` of them.
struct Reduced {
  Reduced(Index n, Index m, double shift, double weight, std::uint64_t seed)
      : problem(toy::two_classes(n, 3, shift, seed)),
        whole(toy::gaussian_kernel(problem.spectra, weight)),
        values(whole.leftCols(m)),
        centres(whole.topLeftCorner(m, m)) {}
  [[nodiscard]] DenseBasisForm form() const { return {values, centres}; }

  toy::TwoClasses problem;
  Matrix whole;
  Matrix values;
  Matrix centres;
};

double objective(const Reduced& reduced, const Vector& penalties, const Vector& g, double bias) {
  const Vector f = (reduced.values * g).array() + bias;
  const Eigen::ArrayXd slack = (1 - reduced.problem.labels.array() * f.array()).max(0.0);
  return 0.5 * g.dot(reduced.centres * g) + 0.5 * (penalties.array() * slack.square()).sum();
}

Indices inside_of(const ReducedSolution& solution, const Vector& labels) {
  Indices inside;
  for (Index i = 0; i < labels.size(); ++i) {
    if (labels(i) * solution.decision(i) < 1) {
      inside.push_back(i);
    }
  }
  return inside;
}

}  // namespace

TEST_CASE("reduced problem: with all samples as centres it is the L2-SVM") {
  for (const double C : {0.1, 10.0, 1000.0}) {
    const Reduced reduced(120, 120, 0.8, 0.5, 7);
    const Vector penalties = Vector::LinSpaced(120, 0.5 * C, 2 * C);
    const MarginSolution exact = solve_margin(DenseQuadraticForm(reduced.whole), reduced.problem.labels, penalties);
    const ReducedSolution solution = solve_reduced(reduced.form(), reduced.problem.labels, penalties);
    INFO("C = ", C);
    CHECK(solution.stop == SolverStop::optimal);
    CHECK((solution.decision - exact.decision).cwiseAbs().maxCoeff() < 1e-8);
    CHECK(std::abs(solution.bias - exact.bias) < 1e-8);
    CHECK(2 * solution.objective == doctest::Approx(exact.squared_margin).epsilon(1e-9));
    CHECK(inside_of(solution, reduced.problem.labels) == exact.support);
  }
}

TEST_CASE("reduced problem: no direction from the solution lowers the objective") {
  const Reduced reduced(300, 25, 0.7, 0.4, 11);
  const Vector penalties = Vector::LinSpaced(300, 2, 9);
  const ReducedSolution solution = solve_reduced(reduced.form(), reduced.problem.labels, penalties);
  CHECK(solution.stop == SolverStop::optimal);
  CHECK(solution.violation < 1e-10);
  CHECK(reduced_violation(reduced.form(), reduced.problem.labels, penalties, solution, 2) < 1e-10);
  const Vector f = (reduced.values * solution.coefficients).array() + solution.bias;
  CHECK((f - solution.decision).norm() < 1e-8);
  CHECK(solution.objective == doctest::Approx(objective(reduced, penalties, solution.coefficients, solution.bias)));
  // Finite differences in every coefficient, and in the bias.
  constexpr double kStep = 1e-5;
  for (Index j = 0; j <= 25; ++j) {
    Vector up = solution.coefficients;
    Vector down = solution.coefficients;
    double bias_step = kStep;
    if (j < 25) {
      up(j) += kStep;
      down(j) -= kStep;
      bias_step = 0;
    }
    const double slope = (objective(reduced, penalties, up, solution.bias + bias_step) -
                          objective(reduced, penalties, down, solution.bias - bias_step)) /
                         (2 * kStep);
    CHECK(std::abs(slope) < 1e-4);
  }
}

TEST_CASE("reduced problem: more centres never raise the objective") {
  const Reduced few(400, 10, 0.7, 0.4, 13);
  const Reduced more(400, 40, 0.7, 0.4, 13);
  const Vector penalties = Vector::Constant(400, 5);
  const double with_few = solve_reduced(few.form(), few.problem.labels, penalties).objective;
  const double with_more = solve_reduced(more.form(), more.problem.labels, penalties).objective;
  const double with_all = 0.5 * solve_margin(DenseQuadraticForm(few.whole), few.problem.labels, 5).squared_margin;
  CHECK(with_more < with_few);
  CHECK(with_all < with_more);
}

TEST_CASE("reduced problem: the order of samples, and copies in place of penalties, change nothing") {
  const Reduced reduced(200, 20, 0.7, 0.4, 17);
  const Vector& labels = reduced.problem.labels;
  Vector penalties = Vector::Constant(200, 3);
  const ReducedSolution solution = solve_reduced(reduced.form(), labels, penalties);

  Indices order = toy::all_rows(200);
  std::reverse(order.begin(), order.end());
  const Matrix turned = reduced.values(order, Eigen::all);
  const ReducedSolution permuted =
      solve_reduced(DenseBasisForm(turned, reduced.centres), Vector(labels(order)), penalties);
  CHECK((permuted.coefficients - solution.coefficients).norm() < 1e-8);
  CHECK(std::abs(permuted.bias - solution.bias) < 1e-8);

  // Ten samples twice, or with twice the penalty.
  Indices twice = toy::all_rows(200);
  for (Index i = 0; i < 10; ++i) {
    twice.push_back(i);
    penalties(i) *= 2;
  }
  const ReducedSolution weighted = solve_reduced(reduced.form(), labels, penalties);
  const Matrix copied_values = reduced.values(twice, Eigen::all);
  const ReducedSolution copied = solve_reduced(DenseBasisForm(copied_values, reduced.centres), Vector(labels(twice)),
                                               Vector(Vector::Constant(210, 3)));
  CHECK((copied.coefficients - weighted.coefficients).norm() < 1e-8);
  CHECK((weighted.coefficients - solution.coefficients).norm() > 1e-3);
}

TEST_CASE("reduced problem: many samples start from a part of them, on any number of threads") {
  const toy::TwoClasses problem = toy::two_classes(6000, 3, 0.6, 19);
  const auto kernel = [&](const Matrix& x, const Matrix& z) {
    Matrix values(x.rows(), z.rows());
    for (Index j = 0; j < z.rows(); ++j) {
      values.col(j) = (-0.3 * (x.rowwise() - z.row(j)).rowwise().squaredNorm()).array().exp();
    }
    return values;
  };
  const Matrix z = problem.spectra.topRows(30);
  const Matrix values = kernel(problem.spectra, z);
  const Matrix centres = kernel(z, z);
  const DenseBasisForm form(values, centres);
  const Vector penalties = Vector::Constant(6000, 20);
  ReducedOptions options;
  double counted = 0;
  options.work = [&](double operations) { counted += operations; };
  const ReducedSolution one = solve_reduced(form, problem.labels, penalties, options);
  CHECK(one.stop == SolverStop::optimal);
  CHECK(one.violation < 1e-10);
  CHECK(counted > 0);
  options.threads = 4;
  options.work = {};
  const ReducedSolution four = solve_reduced(form, problem.labels, penalties, options);
  CHECK(four.coefficients == one.coefficients);
  CHECK(four.bias == one.bias);
  CHECK(four.decision == one.decision);
}

TEST_CASE("reduced problem: centres that occur twice, and an iteration limit") {
  const Reduced reduced(150, 15, 0.7, 0.4, 23);
  const Vector penalties = Vector::Constant(150, 3);
  Indices twice = toy::all_rows(15);
  for (Index i = 0; i < 15; ++i) {
    twice.push_back(i);
  }
  const Matrix values = reduced.values(Eigen::all, twice);
  const Matrix centres = reduced.centres(twice, twice);
  const ReducedSolution once = solve_reduced(reduced.form(), reduced.problem.labels, penalties);
  const ReducedSolution copies = solve_reduced(DenseBasisForm(values, centres), reduced.problem.labels, penalties);
  CHECK(copies.stop == SolverStop::optimal);
  CHECK((copies.decision - once.decision).cwiseAbs().maxCoeff() < 1e-6);

  ReducedOptions options;
  options.iterations = 1;
  const ReducedSolution stopped = solve_reduced(reduced.form(), reduced.problem.labels, penalties, options);
  CHECK(stopped.stop == SolverStop::iteration_limit);
  CHECK(stopped.violation > 1e-10);
}

TEST_CASE("reduced problem: a matrix that is no kernel") {
  const Matrix values = Matrix::Ones(4, 2);
  Matrix centres(2, 2);
  centres << 1, 5, 5, 1;
  const Vector labels = (Vector(4) << 1, -1, 1, -1).finished();
  const ReducedSolution solution = solve_reduced(DenseBasisForm(values, centres), labels, Vector(Vector::Ones(4)));
  CHECK(solution.stop == SolverStop::not_positive);
  CHECK(solution.coefficients.isZero());
}
