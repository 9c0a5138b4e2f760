#include "parsimap/svm/l2_svm.hpp"

#include <Eigen/LU>
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/toy_problems.hpp"

namespace parsimap::test {

namespace {

double dual_objective(const Matrix& k, const Vector& y, double C, const Vector& a) {
  const Vector g = a.cwiseProduct(y);
  return 2 * a.sum() - g.dot(k * g) - a.squaredNorm() / C;
}

// The dual by projected pairwise ascent: slow, obvious, and it knows nothing of active sets.
double naive_squared_margin(const Matrix& k, const Vector& y, double C) {
  const Index n = y.size();
  Vector a = Vector::Zero(n);
  Matrix q = y.asDiagonal() * k * y.asDiagonal();
  q.diagonal().array() += 1 / C;
  Vector gradient = Vector::Constant(n, 2.0);
  for (int sweep = 0; sweep < 20000; ++sweep) {
    // The pair that violates the optimality conditions most.
    Index up = -1;
    Index down = -1;
    for (Index i = 0; i < n; ++i) {
      const double score = y(i) * gradient(i);
      if ((y(i) > 0 || a(i) > 0) && (up < 0 || score > y(up) * gradient(up))) {
        up = i;
      }
      if ((y(i) < 0 || a(i) > 0) && (down < 0 || score < y(down) * gradient(down))) {
        down = i;
      }
    }
    const double violation = y(up) * gradient(up) - y(down) * gradient(down);
    if (violation < 1e-11) {
      break;
    }
    const double curvature = 2 * (q(up, up) + q(down, down) - 2 * y(up) * y(down) * q(up, down));
    double step = violation / curvature;
    step = y(up) > 0 ? step : std::min(step, a(up));
    step = y(down) < 0 ? step : std::min(step, a(down));
    a(up) += y(up) * step;
    a(down) -= y(down) * step;
    gradient -= 2 * step * (y(up) * q.col(up) - y(down) * q.col(down));
  }
  return dual_objective(k, y, C, a);
}

}  // namespace

TEST_CASE("margin: two samples in closed form") {
  // K = [1, k; k, 1], a_1 = a_2 = a: M^2 = max 4 a - a^2 (2 - 2 k + 2 / C), so a = 2 / (2 - 2 k + 2 / C), M^2 = 2 a.
  Matrix k(2, 2);
  k << 1, 0.3, 0.3, 1;
  const Vector y = (Vector(2) << 1, -1).finished();
  const double C = 5;
  const MarginSolution solution = solve_margin(DenseQuadraticForm(k), y, C);
  const double a = 2 / (2 - 2 * 0.3 + 2 / C);
  CHECK(solution.stop == SolverStop::optimal);
  CHECK(solution.coefficients(0) == doctest::Approx(a));
  CHECK(solution.coefficients(1) == doctest::Approx(-a));
  CHECK(solution.bias == doctest::Approx(0.0));
  CHECK(solution.squared_margin == doctest::Approx(2 * a));
}

TEST_CASE("margin: optimality, and the value of an ascent that knows nothing of active sets") {
  for (const double C : {0.1, 1.0, 100.0, 1e6}) {
    for (const double weight : {0.05, 0.5, 5.0}) {
      const toy::TwoClasses problem = toy::two_classes(40, 3, 0.8, 7);
      const Matrix k = toy::gaussian_kernel(problem.spectra, weight);
      const MarginSolution solution = solve_margin(DenseQuadraticForm(k), problem.labels, C);
      INFO("C = ", C, ", weight = ", weight);
      CHECK(solution.stop == SolverStop::optimal);
      CHECK(solution.kkt_violation < 1e-7);
      CHECK(std::abs(solution.coefficients.sum()) < 1e-7);
      CHECK((solution.coefficients.array() * problem.labels.array()).minCoeff() > -1e-7);
      const Vector f = (k * solution.coefficients).array() + solution.bias;
      CHECK((f - solution.decision).norm() < 1e-7);
      const double direct = dual_objective(k, problem.labels, C, solution.coefficients.cwiseProduct(problem.labels));
      CHECK(direct == doctest::Approx(solution.squared_margin).epsilon(1e-7));
      if (C < 1e3) {
        CHECK(solution.squared_margin == doctest::Approx(naive_squared_margin(k, problem.labels, C)).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("margin: where it starts does not change where it ends") {
  const toy::TwoClasses problem = toy::two_classes(120, 4, 1.0, 3);
  const Matrix k = toy::gaussian_kernel(problem.spectra, 0.3);
  const DenseQuadraticForm form(k);
  const MarginSolution cold = solve_margin(form, problem.labels, 50);
  const MarginSolution neighbour = solve_margin(form, problem.labels, 20);
  const Vector nonsense = Random(4).normal_matrix(120, 1);
  for (const Vector& start : {neighbour.decision, nonsense, Vector(Vector::Constant(120, 9.0))}) {
    const MarginSolution warm = solve_margin(form, problem.labels, 50, &start);
    CHECK(warm.support == cold.support);
    CHECK((warm.coefficients - cold.coefficients).norm() < 1e-8);
    CHECK(warm.bias == doctest::Approx(cold.bias));
  }
  CHECK(solve_margin(form, problem.labels, 20, &neighbour.decision).iterations == 1);
}

TEST_CASE("margin: hundreds of samples, started from the half of them, end at the same optimum") {
  const toy::TwoClasses problem = toy::two_classes(500, 3, 1.5, 12);
  const Matrix k = toy::gaussian_kernel(problem.spectra, 0.2);
  const DenseQuadraticForm form(k);
  const Vector every = Vector::Zero(500);
  const MarginSolution from_all = solve_margin(form, problem.labels, 10, &every);
  const MarginSolution from_half = solve_margin(form, problem.labels, 10);
  CHECK(from_half.stop == SolverStop::optimal);
  CHECK(from_half.kkt_violation < 1e-9);
  CHECK(from_half.support == from_all.support);
  CHECK((from_half.coefficients - from_all.coefficients).norm() < 1e-8);
}

TEST_CASE("margin: permuting samples permutes the solution, swapping labels negates it") {
  const toy::TwoClasses problem = toy::two_classes(60, 3, 0.7, 5);
  const Matrix k = toy::gaussian_kernel(problem.spectra, 0.4);
  const MarginSolution solution = solve_margin(DenseQuadraticForm(k), problem.labels, 10);
  const Indices order = Random(6).permutation(60);
  const Matrix permuted = k(order, order);
  const MarginSolution other = solve_margin(DenseQuadraticForm(permuted), problem.labels(order), 10);
  CHECK((other.coefficients - solution.coefficients(order)).norm() < 1e-8);
  const MarginSolution swapped = solve_margin(DenseQuadraticForm(k), -problem.labels, 10);
  CHECK((swapped.coefficients + solution.coefficients).norm() < 1e-8);
  CHECK(swapped.bias == doctest::Approx(-solution.bias));
}

TEST_CASE("margin: a sample twice at C is the sample once at 2 C") {
  const toy::TwoClasses problem = toy::two_classes(20, 2, 0.5, 8);
  Matrix twice(40, 2);
  twice << problem.spectra, problem.spectra;
  Vector labels(40);
  labels << problem.labels, problem.labels;
  const Matrix k = toy::gaussian_kernel(problem.spectra, 0.6);
  const Matrix k2 = toy::gaussian_kernel(twice, 0.6);
  const MarginSolution once = solve_margin(DenseQuadraticForm(k), problem.labels, 6);
  const MarginSolution both = solve_margin(DenseQuadraticForm(k2), labels, 3);
  CHECK((both.coefficients.head(20) + both.coefficients.tail(20) - once.coefficients).norm() < 1e-8);
  CHECK(both.bias == doctest::Approx(once.bias));
}

TEST_CASE("margin: penalties of the samples keep the conditions of optimality, each its own") {
  for (const Index n : {60, 500}) {  // the larger one starts from its half
    const toy::TwoClasses problem = toy::two_classes(n, 3, 0.8, 9);
    const Matrix k = toy::gaussian_kernel(problem.spectra, 0.3);
    const Vector penalties = (Vector::LinSpaced(n, -3, 3).array()).exp() * 10;
    const MarginSolution solution = solve_margin(DenseQuadraticForm(k), problem.labels, penalties);
    CHECK(solution.stop == SolverStop::optimal);
    CHECK(solution.kkt_violation < 1e-9);
    CHECK(std::abs(solution.coefficients.sum()) < 1e-7);
    const Vector f = (k * solution.coefficients).array() + solution.bias;
    for (Index i = 0; i < n; ++i) {
      const double y = problem.labels(i);
      const double g = solution.coefficients(i);
      CHECK(y * g >= 0);
      CHECK((g != 0 ? std::abs(y - f(i) - g / penalties(i)) : 1 - y * f(i)) < 1e-8);
    }
  }
}

TEST_CASE("margin: a sample with k times the penalty is the same as k copies of it") {
  const toy::TwoClasses problem = toy::two_classes(240, 2, 0.5, 8);
  Indices copies;
  Vector penalties(240);
  for (Index i = 0; i < 240; ++i) {
    const Index k = 1 + (i / 2) % 3;
    copies.insert(copies.end(), static_cast<std::size_t>(k), i);
    penalties(i) = 4.0 * static_cast<double>(k);
  }
  const Matrix k = toy::gaussian_kernel(problem.spectra, 0.6);
  const Matrix copied = k(copies, copies);
  const MarginSolution weighted = solve_margin(DenseQuadraticForm(k), problem.labels, penalties);
  const MarginSolution repeated = solve_margin(DenseQuadraticForm(copied), problem.labels(copies), 4);
  CHECK((weighted.decision(copies) - repeated.decision).cwiseAbs().maxCoeff() < 1e-8);
  CHECK(weighted.bias == doctest::Approx(repeated.bias));
  CHECK(weighted.squared_margin == doctest::Approx(repeated.squared_margin));
}

TEST_CASE("margin: where it starts does not matter with penalties of the samples") {
  const toy::TwoClasses problem = toy::two_classes(120, 4, 1.0, 3);
  const Matrix k = toy::gaussian_kernel(problem.spectra, 0.3);
  const DenseQuadraticForm form(k);
  const Vector penalties = (Vector::LinSpaced(120, -4, 4).array()).exp() * 20;
  const MarginSolution cold = solve_margin(form, problem.labels, penalties);
  const Vector nonsense = Random(4).normal_matrix(120, 1);
  const MarginSolution warm = solve_margin(form, problem.labels, penalties, &nonsense);
  CHECK(warm.support == cold.support);
  CHECK((warm.coefficients - cold.coefficients).norm() < 1e-8 * cold.coefficients.norm());
}

namespace {

// The kernel matrices of data without noise: groups of equal samples, how alike two groups are, and labels.
struct EasyProblem {
  std::string name;
  Matrix kernel;
  Vector labels;
};

EasyProblem of_groups(const std::string& name, const Matrix& spectra, const std::vector<int>& sizes,
                      const std::vector<double>& sides, double weight) {
  Indices members;
  std::vector<double> labels;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    members.insert(members.end(), static_cast<std::size_t>(sizes[k]), static_cast<Index>(k));
    labels.insert(labels.end(), static_cast<std::size_t>(sizes[k]), sides[k]);
  }
  return {name, toy::gaussian_kernel(spectra(members, Eigen::all), weight),
          Eigen::Map<const Vector>(labels.data(), static_cast<Index>(labels.size()))};
}

std::vector<EasyProblem> easy_problems() {
  std::vector<EasyProblem> problems;
  const Matrix groups = Random(11).normal_matrix(5, 4);
  for (const double weight : {0.01, 0.1, 1.0, 30.0}) {
    problems.push_back(of_groups("groups of one spectrum", groups, {60, 40, 25, 12, 3}, {-1, 1, -1, -1, -1}, weight));
    problems.push_back(of_groups("a spectrum with both labels", groups(Indices{0, 0, 1, 2}, Eigen::all),
                                 {30, 20, 25, 5}, {1, -1, 1, -1}, weight));
    problems.push_back(
        of_groups("one-hot bands", Matrix::Identity(5, 5), {50, 40, 30, 20, 10}, {-1, -1, -1, -1, 1}, weight));
    problems.push_back(of_groups("two spectra", groups.topRows(2), {70, 7}, {1, -1}, weight));
    // Little noise about well separated means.
    Matrix clean(150, 4);
    Vector labels(150);
    for (Index i = 0; i < 150; ++i) {
      clean.row(i) = groups.row(i % 5);
      labels(i) = i % 5 == 2 ? 1 : -1;
    }
    clean += 1e-4 * Random(6).normal_matrix(150, 4);
    problems.push_back({"little noise", toy::gaussian_kernel(clean, weight), labels});
    // A linear kernel has the rank of its bands.
    const Matrix few = clean.leftCols(2);
    problems.push_back({"rank two", weight * (few * few.transpose()), labels});
  }
  return problems;
}

// The conditions of optimality, from the kernel matrix alone.
double oracle_violation(const EasyProblem& problem, double C, const MarginSolution& solution) {
  double violation = std::abs(solution.coefficients.sum());
  const Index n = problem.labels.size();
  for (Index i = 0; i < n; ++i) {
    double f = solution.bias;
    for (Index j = 0; j < n; ++j) {
      f += problem.kernel(i, j) * solution.coefficients(j);
    }
    const double slack = std::max(0.0, 1 - problem.labels(i) * f);
    violation = std::max(violation, std::abs(problem.labels(i) * solution.coefficients(i) - C * slack) / C);
  }
  return violation;
}

}  // namespace

TEST_CASE("margin: data without noise are solved in few steps, wherever they start from") {
  for (const EasyProblem& problem : easy_problems()) {
    const DenseQuadraticForm form(problem.kernel);
    const Index n = problem.labels.size();
    // As left-out pixels are judged: one penalty after the other, each from the decision function before.
    Vector start = Random(3).normal_matrix(n, 1);
    for (const double C : {10.0, 1e4, 1e3, 1.0, 1e4, 10.0}) {
      for (const Vector& from : {start, Vector(Vector::Constant(n, 9.0)), Vector(-problem.labels)}) {
        const MarginSolution solution = solve_margin(form, problem.labels, C, &from);
        CAPTURE(problem.name);
        CAPTURE(C);
        CHECK(solution.stop == SolverStop::optimal);
        CHECK(solution.iterations <= 40);
        CHECK(oracle_violation(problem, C, solution) < 1e-8);
        start = solution.decision;
      }
    }
  }
}

TEST_CASE("margin: equal samples are the same as one of them with the sum of their penalties") {
  Matrix spectra = Random(4).normal_matrix(30, 3);
  std::vector<int> classes;
  for (Index i = 0; i < 30; ++i) {
    classes.push_back(static_cast<int>(i % 3));
  }
  for (Index i = 10; i < 30; ++i) {  // ten spectra three times, in classes of their own each time but for the last ten
    spectra.row(i) = spectra.row(i % 10);
    classes[static_cast<std::size_t>(i)] = i < 20 ? 0 : classes[static_cast<std::size_t>(i % 10)];
  }
  const DistinctSamples distinct = distinct_samples(spectra, classes);
  const Vector penalties = Vector::LinSpaced(30, 1, 50);
  for (std::size_t i = 0; i < 30; ++i) {
    const auto row = static_cast<std::size_t>(distinct.rows[static_cast<std::size_t>(distinct.place[i])]);
    CHECK(row <= i);
    CHECK(spectra.row(static_cast<Index>(row)) == spectra.row(static_cast<Index>(i)));
    CHECK(classes[row] == classes[i]);
  }
  CHECK(distinct.rows.size() == 16);  // of the first ten spectra, and six that have another class among the next ten
  const Matrix all = toy::gaussian_kernel(spectra, 0.5);
  const Matrix merged = all(distinct.rows, distinct.rows);
  const MarginSolution each = solve_margin(DenseQuadraticForm(all), labels_against_rest(classes, 0), penalties);
  const MarginSolution once = solve_margin(
      DenseQuadraticForm(merged), labels_against_rest(values_at(classes, distinct.rows), 0), distinct.sum(penalties));
  CHECK((once.decision(distinct.place) - each.decision).cwiseAbs().maxCoeff() < 1e-10);
  CHECK((distinct.sum(each.coefficients) - once.coefficients).cwiseAbs().maxCoeff() < 1e-10);
  CHECK(once.squared_margin == doctest::Approx(each.squared_margin).epsilon(1e-10));
}

TEST_CASE("margin: giving up is said") {
  const toy::TwoClasses problem = toy::two_classes(80, 2, 0.3, 2);
  const Matrix k = toy::gaussian_kernel(problem.spectra, 3.0);
  const Vector start = Random(1).normal_matrix(80, 1);
  const MarginSolution limited = solve_margin(DenseQuadraticForm(k), problem.labels, 1000, &start, {1, 1e-9});
  CHECK(limited.stop == SolverStop::iteration_limit);
  CHECK(limited.kkt_violation > 1e-6);
  const Matrix indefinite = -k;
  const MarginSolution failed = solve_margin(DenseQuadraticForm(indefinite), problem.labels, 1000);
  CHECK(failed.stop == SolverStop::not_positive);
  CHECK(failed.coefficients == Vector::Zero(80));
  CHECK(failed.squared_margin == 0);
}

TEST_CASE("margin: systems too large to factorise are solved to the same optimum") {
  const toy::TwoClasses problem = toy::two_classes(300, 3, 1.0, 5);
  const Matrix k = toy::gaussian_kernel(problem.spectra, 0.2);
  const DenseQuadraticForm form(k);
  for (const double C : {1.0, 1e4}) {
    CAPTURE(C);
    const Vector penalties = Vector::LinSpaced(300, 0.1 * C, C);
    const MarginSolution direct = solve_margin(form, problem.labels, penalties);
    SolverOptions options;
    options.largest_factor = 20;
    const MarginSolution iterative = solve_margin(form, problem.labels, penalties, nullptr, options);
    CHECK(iterative.stop == SolverStop::optimal);
    CHECK(iterative.kkt_violation < 1e-7);
    CHECK(iterative.support == direct.support);
    CHECK((iterative.coefficients - direct.coefficients).norm() < 1e-7 * direct.coefficients.norm());
    CHECK(iterative.bias == doctest::Approx(direct.bias));
  }
}

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

}  // namespace parsimap::test
