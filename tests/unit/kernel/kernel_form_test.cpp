#include "parsimap/kernel/kernel_form.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

// k(x_i, x_j) by the printed formula.
Matrix naive_kernel(const Matrix& x, const Matrix& directions, const Vector& weights, double isotropic) {
  Matrix kernel(x.rows(), x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.rows(); ++j) {
      const Vector difference = (x.row(i) - x.row(j)).transpose();
      const Vector along = directions.transpose() * difference;
      kernel(i, j) = std::exp(-0.5 * (weights.dot(along.cwiseAbs2()) + isotropic * difference.squaredNorm()));
    }
  }
  return kernel;
}

}  // namespace

TEST_CASE("kernel form: blocks and products are those of the whole kernel matrix") {
  const Index n = 150;
  Random random(2);
  const Matrix x = random.normal_matrix(n, 6).array() + 30;
  const Matrix directions = toy::orthonormal(6, 2, 4);
  const Vector weights = (Vector(2) << 0.3, 2.0).finished();
  for (const double isotropic : {0.0, 0.05}) {
    const Matrix kernel = naive_kernel(x, directions, weights, isotropic);
    const KernelForm form(MahalanobisKernel({directions, weights.array() + isotropic, isotropic}), x);
    CHECK(form.size() == n);
    const Indices rows = {3, 140, 7, 64, 65};
    const Indices columns = {0, 140, 149};
    CHECK((form.block(rows, columns) - kernel(rows, columns)).cwiseAbs().maxCoeff() < 1e-12);
    const Vector coefficients = random.normal_matrix(3, 1);
    CHECK((form.product(columns, coefficients) - kernel(Eigen::all, columns) * coefficients).cwiseAbs().maxCoeff() <
          1e-12);
    Indices all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), Index{0});
    CHECK((form.block(all, all) - kernel).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("kernel form: a sample's value with itself is exactly 1") {
  const Matrix x = 1e4 * Random(3).normal_matrix(20, 5);
  const KernelForm form(MahalanobisKernel({Matrix(5, 0), Vector(0), 50.0}), x);
  const Indices some = {4, 9, 13};
  const Matrix block = form.block(some, some);
  CHECK(block.diagonal() == Vector::Ones(3));
  CHECK((block - Matrix::Identity(3, 3)).cwiseAbs().maxCoeff() < 1e-300);
}
