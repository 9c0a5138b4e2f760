#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <utility>

#include "parsimap/svm/linear_systems.hpp"

#include "support/toy_problems.hpp"

using namespace parsimap;

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
