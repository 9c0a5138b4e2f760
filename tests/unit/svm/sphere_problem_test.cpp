#include <doctest/doctest.h>

#include "parsimap/svm/l2_svm.hpp"

#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

// min b' K~ b over the simplex by Frank-Wolfe steps with away steps: slow and obvious.
double naive_squared_radius(const Matrix& k, double C) {
  Matrix q = k;
  q.diagonal().array() += 1 / C;
  const Index n = k.rows();
  Vector b = Vector::Constant(n, 1.0 / static_cast<double>(n));
  for (int i = 0; i < 200000; ++i) {
    const Vector image = q * b;
    Index to = 0;
    image.minCoeff(&to);
    Index from = to;
    for (Index j = 0; j < n; ++j) {
      if (b(j) > 0 && image(j) > image(from)) {
        from = j;
      }
    }
    if (image(from) - image(to) < 1e-12) {
      break;
    }
    const double curvature = q(to, to) + q(from, from) - 2 * q(to, from);
    const double step = std::min(b(from), (image(from) - image(to)) / curvature);
    b(to) += step;
    b(from) -= step;
  }
  return 1 + 1 / C - b.dot(q * b);
}

}  // namespace

TEST_CASE("sphere: two samples in closed form") {
  Matrix k(2, 2);
  k << 1, 0.3, 0.3, 1;
  const double C = 4;
  const SphereSolution solution = solve_sphere(DenseQuadraticForm(k), C);
  CHECK(solution.stop == SolverStop::optimal);
  CHECK((solution.coefficients - Vector::Constant(2, 0.5)).norm() < 1e-14);
  CHECK(solution.squared_radius == doctest::Approx(1 + 1 / C - 0.25 * (2 * (1 + 1 / C) + 2 * 0.3)));
}

TEST_CASE("sphere: optimality, and the value of pairwise descent") {
  for (const double C : {0.5, 10.0, 1e4}) {
    for (const double weight : {0.02, 0.3, 3.0}) {
      const Matrix x = Random(3).normal_matrix(50, 3);
      const Matrix k = toy::gaussian_kernel(x, weight);
      const SphereSolution solution = solve_sphere(DenseQuadraticForm(k), C);
      INFO("C = ", C, ", weight = ", weight);
      CHECK(solution.stop == SolverStop::optimal);
      CHECK(solution.kkt_violation < 1e-8);
      CHECK(solution.coefficients.sum() == doctest::Approx(1.0));
      CHECK(solution.coefficients.minCoeff() >= 0);
      CHECK(solution.squared_radius == doctest::Approx(naive_squared_radius(k, C)).epsilon(1e-7));
    }
  }
}

TEST_CASE("sphere: points far apart lie on a sphere of radius close to one") {
  const Matrix k = Matrix::Identity(10, 10);
  const double C = 1e6;
  CHECK(solve_sphere(DenseQuadraticForm(k), C).squared_radius == doctest::Approx((1 + 1 / C) * 0.9));
}

TEST_CASE("sphere: where it starts does not change where it ends") {
  const Matrix x = Random(5).normal_matrix(90, 2);
  const Matrix k = toy::gaussian_kernel(x, 0.1);
  const DenseQuadraticForm form(k);
  const SphereSolution cold = solve_sphere(form, 1e3);
  for (const Indices& start : {Indices{0}, Indices{3, 50, 80}, cold.support}) {
    const SphereSolution warm = solve_sphere(form, 1e3, &start);
    CHECK(warm.stop == SolverStop::optimal);
    CHECK(warm.support == cold.support);
    CHECK(warm.squared_radius == doctest::Approx(cold.squared_radius));
  }
}

TEST_CASE("sphere: hundreds of samples, started from the half of them, end at the same optimum") {
  const Matrix x = Random(15).normal_matrix(450, 3);
  const Matrix k = toy::gaussian_kernel(x, 0.1);
  const DenseQuadraticForm form(k);
  const Indices every = toy::all_rows(450);
  const SphereSolution from_all = solve_sphere(form, 100, &every);
  const SphereSolution from_half = solve_sphere(form, 100);
  CHECK(from_half.stop == SolverStop::optimal);
  CHECK(from_half.kkt_violation < 1e-9);
  CHECK(from_half.support == from_all.support);
  CHECK(from_half.squared_radius == doctest::Approx(from_all.squared_radius).epsilon(1e-12));
}

TEST_CASE("sphere: systems factorised for another problem of the same matrix do not change the solution") {
  const toy::TwoClasses problem = toy::two_classes(150, 3, 1.0, 9);
  const Matrix k = toy::gaussian_kernel(problem.spectra, 0.8);
  const DenseQuadraticForm form(k);
  ActiveSystem system(form, 3);
  solve_margin(system, problem.labels, nullptr, {});
  const SphereSolution shared = solve_sphere(system, nullptr);
  const SphereSolution alone = solve_sphere(form, 3);
  CHECK(shared.support == alone.support);
  CHECK((shared.coefficients - alone.coefficients).norm() < 1e-12);
}

TEST_CASE("sphere: giving up is said, and what is returned still lies on the simplex") {
  const Matrix x = Random(5).normal_matrix(90, 2);
  const Matrix k = toy::gaussian_kernel(x, 0.1);
  const SphereSolution limited = solve_sphere(DenseQuadraticForm(k), 1e3, nullptr, {1, 1e-9});
  CHECK(limited.stop == SolverStop::iteration_limit);
  CHECK(limited.coefficients.sum() == doctest::Approx(1.0));
  CHECK(limited.coefficients.minCoeff() >= 0);
  const Matrix indefinite = -k;
  CHECK(solve_sphere(DenseQuadraticForm(indefinite), 1e3).stop == SolverStop::not_positive);
}
