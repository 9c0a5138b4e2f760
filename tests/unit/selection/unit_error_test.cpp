#include "parsimap/selection/unit_error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "parsimap/core/random.hpp"

namespace parsimap::test {

TEST_CASE("of independent samples the error is the usual one of a mean") {
  const Vector values = Random(1).normal_matrix(50, 1).col(0);
  std::vector<std::int64_t> units(50);
  std::iota(units.begin(), units.end(), std::int64_t{0});
  const double mean = values.mean();
  const double usual = std::sqrt((values.array() - mean).square().sum() / 49 / 50);
  CHECK(standard_error(values, mean, Vector::Ones(50), units) == doctest::Approx(usual));
}

TEST_CASE("copies in the same unit tell nothing new") {
  const Vector values = Random(2).normal_matrix(20, 1).col(0);
  std::vector<std::int64_t> units(20);
  std::iota(units.begin(), units.end(), std::int64_t{0});
  const double once = standard_error(values, values.mean(), Vector::Ones(20), units);
  Vector twice(40);
  twice << values, values;
  std::vector<std::int64_t> doubled = units;
  doubled.insert(doubled.end(), units.begin(), units.end());
  CHECK(standard_error(twice, values.mean(), Vector::Ones(40), doubled) == doctest::Approx(once));
}

TEST_CASE("a single unit has no error of its own") {
  CHECK(standard_error(Vector::Ones(3), 1, Vector::Ones(3), {7, 7, 7}) == 0);
}

}  // namespace parsimap::test
