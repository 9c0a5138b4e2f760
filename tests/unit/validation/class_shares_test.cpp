#include "validation/class_shares.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

// Positive definite.
Matrix random_hessian(Index size, Random& random) {
  const Matrix root = random.normal_matrix(size, size);
  return root * root.transpose() + 0.01 * Matrix::Identity(size, size);
}

}  // namespace

TEST_CASE("the minimum on the simplex meets the conditions of optimality") {
  Random random(3);
  for (const Index size : {1, 2, 3, 7, 20}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Matrix hessian = random_hessian(size, random);
      const Vector gradient = 3 * random.normal_matrix(size, 1);
      const Vector x = minimise_on_simplex(hessian, gradient);
      CHECK(x.sum() == doctest::Approx(1));
      CHECK(x.minCoeff() >= 0);
      // All entries above 0 have the same slope, and no other entry has a smaller one.
      const Vector slope = hessian * x - gradient;
      const double common = slope.dot(x);
      for (Index i = 0; i < size; ++i) {
        CAPTURE(size);
        CHECK(slope(i) >= common - 1e-6);
        CHECK((x(i) == 0 || slope(i) == doctest::Approx(common).epsilon(1e-6)));
      }
    }
  }
}

TEST_CASE("shares of two classes follow in closed form from a known confusion") {
  const Matrix confusion{{0.9, 0.1}, {0.3, 0.7}};
  const Vector shares{{0.25, 0.75}};
  const Vector variances = Vector::Constant(2, 1e-8);
  const Vector found = class_shares(confusion, confusion.transpose() * shares, variances, Vector{{0.5, 0.5}}, 0.1);
  CHECK(found(0) == doctest::Approx(0.25).epsilon(1e-5));
  // Shares of the map beyond what the confusion can give lead to the border.
  CHECK(class_shares(confusion, Vector{{0.95, 0.05}}, variances, Vector{{0.5, 0.5}}, 0.1)(0) == 1.0);
  CHECK(class_shares(confusion, Vector{{0.2, 0.8}}, variances, Vector{{0.5, 0.5}}, 0.1)(0) == 0.0);
}

TEST_CASE("shares that the map leaves open are those of the prior") {
  const Matrix confusion = Matrix::Constant(3, 3, 1.0 / 3);
  const Vector prior{{0.2, 0.3, 0.5}};
  const Vector found = class_shares(confusion, Vector{{0.6, 0.2, 0.2}}, Vector::Constant(3, 1e-6), prior, 0.05);
  CHECK((found - prior).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("shares agree with a search over a fine grid of the simplex") {
  const Matrix confusion{{0.8, 0.15, 0.05}, {0.3, 0.5, 0.2}, {0.1, 0.3, 0.6}};
  const Vector map_shares{{0.5, 0.2, 0.3}};
  const Vector variances{{0.001, 0.004, 0.002}};
  const Vector prior{{0.6, 0.2, 0.2}};
  const auto value = [&](const Vector& x) {
    return 2.0 / 3 * (map_shares - confusion.transpose() * x).cwiseAbs2().cwiseQuotient(variances).sum() +
           (x - prior).squaredNorm() / 0.1;
  };
  double least = 1e9;
  for (int i = 0; i <= 200; ++i) {
    for (int j = 0; i + j <= 200; ++j) {
      least = std::min(least, value(Vector{{i / 200.0, j / 200.0, (200 - i - j) / 200.0}}));
    }
  }
  const double found = value(class_shares(confusion, map_shares, variances, prior, 0.1));
  CHECK(found <= least);
  CHECK(found == doctest::Approx(least).epsilon(0.01));
}

}  // namespace parsimap::test
