#include "parsimap/kernel/mahalanobis_kernel.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

// The definition, term by term, with total weights: what is orthogonal to the directions has the weight w0.
double naive(const Matrix& q, const Vector& v, double w0, const Eigen::RowVectorXd& x, const Eigen::RowVectorXd& z) {
  double orthogonal = (x - z).squaredNorm();
  double sum = 0;
  for (Index l = 0; l < v.size(); ++l) {
    const double along = (x - z).dot(q.col(l).transpose());
    sum += v(l) * along * along;
    orthogonal -= along * along;
  }
  return std::exp(-0.5 * (sum + w0 * orthogonal));
}

}  // namespace

TEST_CASE("kernel: agrees with its definition, far from the origin too") {
  const Matrix q = toy::orthonormal(9, 3, 1);
  const Vector w = (Vector(3) << 0.5, 2.0, 0.1).finished();
  const Matrix x = Random(2).normal_matrix(7, 9).array() + 1000.0;
  const Matrix z = Random(3).normal_matrix(5, 9).array() + 1000.0;
  const Matrix block = MahalanobisKernel({q, w, 0.3}).block(x, z);
  for (Index i = 0; i < 7; ++i) {
    for (Index j = 0; j < 5; ++j) {
      CHECK(block(i, j) == doctest::Approx(naive(q, w, 0.3, x.row(i), z.row(j))).epsilon(1e-9));
    }
  }
}

TEST_CASE("kernel: the Gaussian and the PCA kernel are its limits") {
  const Matrix q = toy::orthonormal(6, 2, 4);
  const Vector w = (Vector(2) << 0.8, 0.2).finished();
  const Matrix x = Random(5).normal_matrix(8, 6);
  const Matrix gaussian = MahalanobisKernel({Matrix(6, 0), Vector(0), 0.4}).block(x, x);
  CHECK((gaussian - toy::gaussian_kernel(x, 0.4)).norm() < 1e-12);
  CHECK((MahalanobisKernel({q, Vector::Constant(2, 0.4), 0.4}).block(x, x) - gaussian).norm() < 1e-11);
  const Matrix pca = MahalanobisKernel({q, w, 0.0}).block(x, x);
  CHECK((MahalanobisKernel({q, w, 1e-14}).block(x, x) - pca).norm() < 1e-11);
  CHECK((pca - toy::gaussian_kernel(x * q * w.cwiseSqrt().asDiagonal(), 1.0)).norm() < 1e-12);
}

TEST_CASE("kernel: with equal weights in all directions it is Gaussian in every direction") {
  const Matrix q = toy::orthonormal(4, 4, 6);
  const Matrix x = Random(7).normal_matrix(6, 4);
  const Matrix turned = MahalanobisKernel({q, Vector::Constant(4, 0.7), 0.0}).block(x, x);
  CHECK((turned - toy::gaussian_kernel(x, 0.7)).norm() < 1e-12);
}

TEST_CASE("kernel: weights a million times apart do not cost accuracy") {
  // The class varies a thousand times as much along q as across it, so that |x - z|^2 is nearly all along q.
  const Matrix q = toy::orthonormal(5, 1, 8);
  Matrix x = Random(9).normal_matrix(6, 5);
  x += 1000 * Random(10).normal_matrix(6, 1) * q.transpose();
  const Vector v = Vector::Constant(1, 1e-6);
  const Matrix block = MahalanobisKernel({q, v, 1.0}).block(x, x);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 6; ++j) {
      CHECK(block(i, j) == doctest::Approx(naive(q, v, 1.0, x.row(i), x.row(j))).epsilon(1e-8));
    }
  }
}
