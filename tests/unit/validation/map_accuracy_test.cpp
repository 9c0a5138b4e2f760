#include "validation/map_accuracy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace parsimap::test {
namespace {

// Units of ten records, of one class each, of which the share `right` is right in unit u.
LeftOutResults units_of_ten(int units, int classes, double (*right)(int)) {
  LeftOutResults results;
  results.classes = classes;
  results.label_shares.assign(static_cast<std::size_t>(classes), 1.0 / classes);
  for (int u = 0; u < units; ++u) {
    for (int i = 0; i < 10; ++i) {
      const int predicted = i < std::lround(10 * right(u)) ? u % classes : (u + 1) % classes;
      results.records.push_back({u % classes, predicted, {u}, 10 * u + i});
    }
  }
  return results;
}

// Positive definite.
Matrix random_hessian(Index size, Random& random) {
  const Matrix root = random.normal_matrix(size, size);
  return root * root.transpose() + 0.01 * Matrix::Identity(size, size);
}

}  // namespace

TEST_CASE("falling groups are those of the least squares among all partitions") {
  Random random(5);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const Vector values = random.normal_matrix(6, 1);
    const Vector weights = random.normal_matrix(6, 1).cwiseAbs().array() + 0.1;
    const auto fitted = [&](const Indices& group) {
      Vector fit(6);
      for (std::size_t i = 0; i < 6; ++i) {
        double sum = 0;
        double total = 0;
        for (std::size_t k = 0; k < 6; ++k) {
          sum += group[k] == group[i] ? weights(static_cast<Index>(k)) * values(static_cast<Index>(k)) : 0;
          total += group[k] == group[i] ? weights(static_cast<Index>(k)) : 0;
        }
        fit(static_cast<Index>(i)) = sum / total;
      }
      return fit;
    };
    const auto falls = [](const Vector& fit) { return (fit.head(5) - fit.tail(5)).minCoeff() >= -1e-12; };
    const auto error = [&](const Vector& fit) { return weights.dot((fit - values).cwiseAbs2()); };
    const Vector found = fitted(falling_groups(values, weights));
    CHECK(falls(found));
    // Every partition into neighbours is a set of the five places between entries.
    for (int cuts = 0; cuts < 32; ++cuts) {
      Indices group = {0};
      for (int i = 0; i < 5; ++i) {
        group.push_back(group.back() + (cuts >> i & 1));
      }
      const Vector fit = fitted(group);
      CHECK((!falls(fit) || error(found) <= error(fit) + 1e-12));
    }
  }
}

TEST_CASE("replicates of a mean vary as much as units of equal size say") {
  const LeftOutResults results = units_of_ten(8, 2, [](int u) { return 0.5 + 0.05 * (u / 2); });
  const MapAccuracy accuracy(left_out_table(results, {}), results.label_shares);
  // Both classes have four units, with .50, .55, .60 and .65: the variance of the mean of a class is s^2 / 4, and
  // errors that are added to none of the units raise it a little. Rounding to tenths gives .5, .6, .6 and .7.
  const double expected = (0.01 + 0.01) / 3 / 4 / 2;
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 4000;
  for (int i = 0; i < kDraws; ++i) {
    Random random(1, static_cast<std::uint64_t>(i));
    const double drawn = accuracy.replicate(random).overall;
    sum += drawn / kDraws;
    squares += drawn * drawn / kDraws;
  }
  CHECK(accuracy.estimate().overall == doctest::Approx(0.6));
  CHECK(std::sqrt(squares - sum * sum) > 0.95 * std::sqrt(expected));
  CHECK(std::sqrt(squares - sum * sum) < 2.5 * std::sqrt(expected));
  // Two classes with four units each: 3 + 3.
  CHECK(accuracy.degrees_of_freedom(Vector{{0.5, 0.5}}) == doctest::Approx(6));
  CHECK(accuracy.degrees_of_freedom(Vector{{1.0, 0.0}}) == doctest::Approx(3));
}

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
