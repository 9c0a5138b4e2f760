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
      results.labels.push_back(u % classes);
      results.predicted.push_back(i < std::lround(10 * right(u)) ? u % classes : (u + 1) % classes);
      results.units.push_back({u});
      results.samples.push_back(10 * u + i);
    }
  }
  return results;
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

}  // namespace parsimap::test
