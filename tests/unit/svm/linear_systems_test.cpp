#include "parsimap/svm/linear_systems.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <utility>

#include "parsimap/core/random.hpp"

#include "support/toy_problems.hpp"

namespace parsimap::test {

namespace {

constexpr Index kOrder = 240;

Matrix system_matrix(const Matrix& kernel, const Indices& set, const Vector& penalties) {
  Matrix a = kernel(set, set);
  a.diagonal() += penalties.cwiseInverse();
  return a;
}

Indices every_second(Index n) {
  Indices rows;
  for (Index i = 0; i < n; i += 2) {
    rows.push_back(i);
  }
  return rows;
}

}  // namespace

TEST_CASE("iterative system: the solution of a factorisation, whatever fits into preconditioner and cache") {
  const Matrix kernel = toy::gaussian_kernel(Random(3).normal_matrix(kOrder, 4), 0.3);
  const DenseQuadraticForm form(kernel);
  const Indices set = every_second(kOrder);
  const auto order = static_cast<Index>(set.size());
  const Matrix right = Random(8).normal_matrix(order, 2);
  for (const double C : {0.5, 100.0, 1e4}) {
    const Vector penalties = Vector::LinSpaced(order, 0.2 * C, 1.8 * C);
    const Matrix expected = system_matrix(kernel, set, penalties).ldlt().solve(right);
    for (const Index rank : {Index{1}, Index{15}, order}) {
      for (const std::int64_t cache : {0, 20000, 1 << 20}) {
        CAPTURE(C);
        CAPTURE(rank);
        CAPTURE(cache);
        const IterativeSystem system(form, set, penalties, {rank, cache, 1e-10});
        Matrix solution = right;
        REQUIRE(system.solve(solution));
        CHECK((solution - expected).norm() < 1e-6 * expected.norm());
      }
    }
  }
}

TEST_CASE("iterative system: a column of zeros stays so beside others") {
  const Matrix kernel = toy::gaussian_kernel(Random(3).normal_matrix(50, 4), 0.3);
  const DenseQuadraticForm form(kernel);
  const Vector penalties = Vector::Constant(50, 10);
  const IterativeSystem system(form, toy::all_rows(50), penalties);
  Matrix right = Matrix::Zero(50, 2);
  right.col(1).setOnes();
  REQUIRE(system.solve(right));
  CHECK(right.col(0) == Vector::Zero(50));
  CHECK((system_matrix(kernel, toy::all_rows(50), penalties) * right.col(1) - Vector::Ones(50)).norm() < 1e-9);
}

TEST_CASE("iterative system: an indefinite one is not solved") {
  const Matrix kernel = -toy::gaussian_kernel(Random(5).normal_matrix(40, 3), 0.5);
  Matrix right = Matrix::Ones(40, 1);
  CHECK_FALSE(IterativeSystem(DenseQuadraticForm(kernel), toy::all_rows(40), Vector::Constant(40, 1000)).solve(right));
}

TEST_CASE("iterative system: memory grows with the order until the cache is full") {
  const IterativeOptions options{100, 4000000, 1e-10};
  CHECK(IterativeSystem::bytes(500, options) == 2 * 8 * 500 * 100 + 4 * 500 * 500);
  CHECK(IterativeSystem::bytes(2000, options) == 2 * 8 * 2000 * 100 + 4000000);
}

TEST_CASE("iterative system: the same bits for any number of threads") {
  const Index n = 900;
  const Matrix kernel = toy::gaussian_kernel(Random(3).normal_matrix(n, 4), 0.3);
  const DenseQuadraticForm form(kernel);
  const Matrix right = Random(8).normal_matrix(n, 2);
  // A cache of some of the rows, so that others are computed for every product.
  const auto solution = [&](int threads) {
    const IterativeSystem system(form, toy::all_rows(n), Vector::Constant(n, 50),
                                 {200, 4 * n * 400, 1e-10, {}, threads});
    Matrix result = right;
    REQUIRE(system.solve(result));
    return result;
  };
  const Matrix one = solution(1);
  for (const int threads : {2, 3, 7}) {
    CHECK(solution(threads) == one);
  }
}

TEST_CASE("iterative system: a form is asked for its restriction, and for nothing else") {
  // What belongs to the columns is gathered there, once, and not again for every panel.
  class OnlyRestricted final : public QuadraticForm {
   public:
    explicit OnlyRestricted(const Matrix& matrix) : form_(matrix) {}
    [[nodiscard]] Index size() const override { return form_.size(); }
    [[nodiscard]] Matrix block(const Indices&, const Indices&) const override { throw std::logic_error("block"); }
    [[nodiscard]] Vector product(const Indices&, const Vector&) const override { throw std::logic_error("product"); }
    [[nodiscard]] std::unique_ptr<const QuadraticForm> restricted(Indices rows) const override {
      return form_.restricted(std::move(rows));
    }

   private:
    DenseQuadraticForm form_;
  };
  const Matrix kernel = toy::gaussian_kernel(Random(3).normal_matrix(kOrder, 4), 0.3);
  const Indices set = every_second(kOrder);
  const auto order = static_cast<Index>(set.size());
  const Vector penalties = Vector::Constant(order, 10);
  Matrix right = Matrix::Ones(order, 1);
  REQUIRE(IterativeSystem(OnlyRestricted(kernel), set, penalties).solve(right));
  CHECK((system_matrix(kernel, set, penalties) * right - Matrix::Ones(order, 1)).norm() < 1e-8);
}

TEST_CASE("iterative system: what its work throws ends it") {
  const Matrix kernel = toy::gaussian_kernel(Random(3).normal_matrix(kOrder, 4), 0.3);
  const DenseQuadraticForm form(kernel);
  for (const int threads : {1, 3}) {
    std::atomic<bool> solving{false};
    IterativeOptions options;
    options.threads = threads;
    options.work = [&](double) {
      if (solving) {
        throw std::runtime_error("stop");
      }
    };
    const IterativeSystem system(form, toy::all_rows(kOrder), Vector::Constant(kOrder, 10), options);
    solving = true;
    Matrix right = Matrix::Ones(kOrder, 1);
    CHECK_THROWS_AS(static_cast<void>(system.solve(right)), std::runtime_error);
  }
}

namespace {

Matrix positive_definite(Index n) {
  const Matrix x = Random(static_cast<std::uint64_t>(n)).normal_matrix(n, n);
  Matrix a = x * x.transpose() / static_cast<double>(n);
  a.diagonal().array() += 0.5;
  return a;
}

}  // namespace

TEST_CASE("cholesky: L L' is the matrix, and solving undoes multiplying, below and above the block size") {
  for (const Index n : {1, 7, 192, 193, 431}) {
    const Matrix a = positive_definite(n);
    const Cholesky factor(a);
    INFO("n = ", n);
    REQUIRE(factor.positive());
    CHECK(factor.rows() == n);
    const Matrix lower = factor.lower().triangularView<Eigen::Lower>();
    CHECK((lower * lower.transpose() - a).norm() < 1e-12 * a.norm());
    const Matrix x = Random(5).normal_matrix(n, 3);
    CHECK((factor.solve(a * x) - x).norm() < 1e-10 * x.norm());
  }
}

TEST_CASE("cholesky: what stands above the diagonal does not count") {
  const Matrix a = positive_definite(300);
  Matrix lower_only = a;
  lower_only.triangularView<Eigen::StrictlyUpper>().setConstant(1e30);
  const Matrix right = Matrix::Ones(300, 1);
  CHECK(Cholesky(lower_only).solve(right) == Cholesky(a).solve(right));
}

TEST_CASE("cholesky: a matrix that is not positive definite is reported, wherever it fails") {
  for (const Index bad : {0, 150, 299}) {
    Matrix a = positive_definite(300);
    a(bad, bad) = -1;
    CHECK_FALSE(Cholesky(a).positive());
  }
}

TEST_CASE("cholesky: tiles that threads share give the factor of Eigen, and the same bits for any number of threads") {
  const Matrix a = positive_definite(1100);
  const Cholesky one(a);
  REQUIRE(one.positive());
  const Matrix lower = one.lower().triangularView<Eigen::Lower>();
  const Matrix expected = Eigen::LLT<Matrix>(a).matrixL();
  CHECK((lower - expected).norm() < 1e-12 * expected.norm());
  CHECK((lower * lower.transpose() - a).norm() < 1e-13 * a.norm());
  const Matrix right = Random(6).normal_matrix(1100, 70);
  const Matrix solution = one.solve(right);
  CHECK((a * solution - right).norm() < 1e-10 * right.norm());
  for (const int threads : {2, 3, 7}) {
    const Cholesky many(a, {}, threads);
    CHECK(Matrix(many.lower().triangularView<Eigen::Lower>()) == lower);
    CHECK(many.solve(right) == solution);
  }
}

TEST_CASE("cholesky: what its work throws ends it") {
  const Matrix a = positive_definite(800);
  for (const int threads : {1, 3}) {
    int calls = 0;
    const Work work = [&](double) {
      if (++calls == 3) {
        throw std::runtime_error("stop");
      }
    };
    CHECK_THROWS_AS(Cholesky(a, work, threads), std::runtime_error);
    CHECK(calls == 3);
  }
}

namespace {

constexpr Index kSamples = 120;
constexpr double kC = 20;

// Counts the kernel values that are asked for.
class CountedForm final : public QuadraticForm {
 public:
  explicit CountedForm(const Matrix& matrix) : form_(matrix) {}
  [[nodiscard]] Index size() const override { return form_.size(); }
  [[nodiscard]] Matrix block(const Indices& rows, const Indices& columns) const override {
    values += static_cast<Index>(rows.size() * columns.size());
    return form_.block(rows, columns);
  }
  [[nodiscard]] Vector product(const Indices& columns, const Vector& coefficients) const override {
    return form_.product(columns, coefficients);
  }
  mutable Index values = 0;

 private:
  DenseQuadraticForm form_;
};

Matrix kernel() { return toy::gaussian_kernel(Random(3).normal_matrix(kSamples, 3), 0.4); }

Indices all_but(const Indices& left_out) {
  Indices rest = toy::all_rows(kSamples);
  for (const Index i : left_out) {
    std::erase(rest, i);
  }
  return rest;
}

// A_SS^-1 right, with no memory of other sets.
Matrix direct(const Matrix& k, const Indices& set, const Matrix& right) {
  Matrix system = k(set, set);
  system.diagonal().array() += 1 / kC;
  return system.partialPivLu().solve(right);
}

}  // namespace

TEST_CASE("active system: sets near the factorised one, samples removed, added and both") {
  const Matrix k = kernel();
  const DenseQuadraticForm form(k);
  const Indices base = all_but({5, 6, 50, 119});
  for (const Indices& set : {all_but({5, 6, 50, 119}), all_but({0, 5, 6, 50, 70, 119}), all_but({6, 119}),
                             all_but({1, 2, 50, 118}), all_but({})}) {
    ActiveSystem system(form, kC);
    REQUIRE(system.factorise(base));
    const Matrix right = Random(8).normal_matrix(static_cast<Index>(set.size()), 2);
    Matrix solved = right;
    REQUIRE(system.solve(set, solved));
    CHECK((solved - direct(k, set, right)).norm() < 1e-10 * right.norm());
    CHECK(system.factorised() == base);
  }
}

TEST_CASE("active system: every sample has its own penalty, factorised, added or removed") {
  const Matrix k = kernel();
  const DenseQuadraticForm form(k);
  const Vector penalties = Vector::LinSpaced(kSamples, 0.5, 50);
  Matrix ridged = k;
  ridged.diagonal() += penalties.cwiseInverse();
  ridged.diagonal().array() -= 1 / kC;
  ActiveSystem system(form, penalties);
  REQUIRE(system.factorise(all_but({0, 5, 50, 119})));
  for (const Indices& set : {all_but({0, 5, 50, 119}), all_but({3, 50}), all_but({7, 8, 119})}) {
    const Matrix right = Random(8).normal_matrix(static_cast<Index>(set.size()), 2);
    Matrix solved = right;
    REQUIRE(system.solve(set, solved));
    CHECK((solved - direct(ridged, set, right)).norm() < 1e-10 * right.norm());
  }
}

TEST_CASE("active system: a set far from the factorised one takes its place") {
  const Matrix k = kernel();
  const DenseQuadraticForm form(k);
  ActiveSystem system(form, kC);
  REQUIRE(system.factorise({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  const Indices set = {3, 20, 40, 60};
  const Matrix right = Matrix::Ones(4, 1);
  Matrix solved = right;
  REQUIRE(system.solve(set, solved));
  CHECK((solved - direct(k, set, right)).norm() < 1e-12);
  CHECK(system.factorised() == set);
}

TEST_CASE("active system: an exchange asks for few kernel values") {
  const Matrix k = kernel();
  const CountedForm form(k);
  ActiveSystem system(form, kC);
  REQUIRE(system.factorise(all_but({5})));
  form.values = 0;
  Matrix right = Matrix::Ones(kSamples - 2, 1);
  REQUIRE(system.solve(all_but({7, 8}), right));
  CHECK(form.values == (kSamples - 1) + 1);
}

TEST_CASE("active system: what is not positive definite is reported") {
  const Matrix k = -kernel();
  const DenseQuadraticForm form(k);
  ActiveSystem system(form, kC);
  Matrix right = Matrix::Ones(2, 1);
  CHECK_FALSE(system.solve({0, 1}, right));
  CHECK(system.factorised().empty());
}

TEST_CASE("solver stop: every reason has its own words") {
  CHECK(to_string(SolverStop::optimal) == "optimal");
  CHECK(to_string(SolverStop::iteration_limit) == "iteration limit");
  CHECK(to_string(SolverStop::not_positive) == "kernel matrix not positive definite");
}

}  // namespace parsimap::test
