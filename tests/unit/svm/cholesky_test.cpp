#include <Eigen/Cholesky>
#include <doctest/doctest.h>

#include <stdexcept>

#include "parsimap/core/random.hpp"
#include "parsimap/svm/linear_systems.hpp"

using namespace parsimap;

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

TEST_CASE("cholesky: a matrix that is not positive definite is told, wherever it fails") {
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
