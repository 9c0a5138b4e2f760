#include "parsimap/kernel/mahalanobis_kernel.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

// The definition, term by term.
double naive(const Matrix& q, const Vector& w, double w0, const Eigen::RowVectorXd& x, const Eigen::RowVectorXd& z) {
  double sum = w0 * (x - z).squaredNorm();
  for (Index l = 0; l < w.size(); ++l) {
    const double along = (x - z).dot(q.col(l).transpose());
    sum += w(l) * along * along;
  }
  return std::exp(-0.5 * sum);
}

}  // namespace

TEST_CASE("kernel: agrees with its definition, far from the origin too") {
  const Matrix q = toy::orthonormal(9, 3, 1);
  const Vector w = (Vector(3) << 0.5, 2.0, 0.1).finished();
  const Matrix x = Random(2).normal_matrix(7, 9).array() + 1000.0;
  const Matrix z = Random(3).normal_matrix(5, 9).array() + 1000.0;
  const Matrix block = MahalanobisKernel(q, w, 0.3).block(x, z);
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
  const Matrix gaussian = MahalanobisKernel(Matrix(6, 0), Vector(0), 0.4).block(x, x);
  CHECK((gaussian - toy::gaussian_kernel(x, 0.4)).norm() < 1e-12);
  CHECK((MahalanobisKernel(q, 1e-14 * w, 0.4).block(x, x) - gaussian).norm() < 1e-11);
  const Matrix pca = MahalanobisKernel(q, w, 0.0).block(x, x);
  CHECK((MahalanobisKernel(q, w, 1e-14).block(x, x) - pca).norm() < 1e-11);
  CHECK((pca - toy::gaussian_kernel(x * q * w.cwiseSqrt().asDiagonal(), 1.0)).norm() < 1e-12);
}

TEST_CASE("kernel: with equal weights in all directions it is Gaussian in every direction") {
  const Matrix q = toy::orthonormal(4, 4, 6);
  const Matrix x = Random(7).normal_matrix(6, 4);
  const Matrix turned = MahalanobisKernel(q, Vector::Constant(4, 0.7), 0.0).block(x, x);
  CHECK((turned - toy::gaussian_kernel(x, 0.7)).norm() < 1e-12);
}
