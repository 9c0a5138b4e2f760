#include "parsimap/svm/cholesky.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

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
