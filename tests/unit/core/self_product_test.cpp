#include "parsimap/core/self_product.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

using namespace parsimap;

namespace {

Matrix sum_with(Matrix lower, const Matrix& a, double factor, int threads) {
  add_self_product(lower, a, factor, threads);
  return lower;
}

}  // namespace

TEST_CASE("self product: that of Eigen, below the diagonal alone, whole tiles or not") {
  for (const Index n : {1, 127, 128, 300, 1100}) {
    INFO("n = ", n);
    const Matrix a = Random(static_cast<std::uint64_t>(n)).normal_matrix(n, 7);
    const Matrix before = Matrix::Constant(n, n, 0.5);
    const Matrix sum = sum_with(before, a, -2, 1);
    const Matrix expected = before - 2 * a * a.transpose();
    CHECK(Matrix((sum - expected).triangularView<Eigen::Lower>()).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(Matrix(sum.triangularView<Eigen::StrictlyUpper>()) == Matrix(before.triangularView<Eigen::StrictlyUpper>()));
  }
}

TEST_CASE("self product: the same bits for any number of threads") {
  const Matrix a = Random(3).normal_matrix(700, 40);
  const Matrix zero = Matrix::Zero(700, 700);
  const Matrix one = sum_with(zero, a, 1, 1);
  for (const int threads : {2, 3, 7}) {
    CHECK(sum_with(zero, a, 1, threads) == one);
  }
}

TEST_CASE("self product: of a transpose") {
  const Matrix a = Random(4).normal_matrix(60, 140);
  Matrix lower = Matrix::Zero(140, 140);
  add_self_product(lower, a.transpose(), 1, 2);
  CHECK(Matrix((lower - a.transpose() * a).triangularView<Eigen::Lower>()).cwiseAbs().maxCoeff() < 1e-12);
}
