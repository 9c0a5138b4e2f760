#include "parsimap/classifier/tail_probability.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/random.hpp"

using namespace parsimap;

TEST_CASE("the law of a sample is found, in its body and beyond its largest value") {
  // P(X >= x) = x^-3 for x >= 1.
  Random random(5);
  Vector sample(20000);
  for (double& value : sample) {
    value = std::pow(1 - random.uniform(), -1.0 / 3.0);
  }
  const TailTable table = fit_tail(sample);
  CHECK(table.exponent == doctest::Approx(3).epsilon(0.05));
  for (const double x : {1.1, 1.5, 2.0, 3.0, 10.0, 1000.0}) {
    CHECK(tail_probability(table, x) == doctest::Approx(std::pow(x, -3)).epsilon(x > 100 ? 0.3 : 0.08));
  }
}

TEST_CASE("probabilities are those of the ranks") {
  // 9 values, of which the 4 largest give the exponent: ranks 1 to 5 are points of the table.
  const TailTable table = fit_tail(Vector{{7, 1, 9, 3, 5, 2, 4, 8, 6}});
  REQUIRE(table.values.size() == 5);
  CHECK(tail_probability(table, 0) == 1);
  CHECK(tail_probability(table, 1) == doctest::Approx(0.9));
  CHECK(tail_probability(table, 2.5) == doctest::Approx(0.75));
  CHECK(tail_probability(table, 5) == doctest::Approx(0.5));
  const double exponent = 4 / std::log(6.0 * 7 * 8 * 9 / (5 * 5 * 5 * 5));
  CHECK(tail_probability(table, 20) == doctest::Approx(0.5 * std::pow(0.25, exponent)));
}

TEST_CASE("a distance that is not a number is beyond all others") {
  const TailTable table = fit_tail(Vector{{7, 1, 9, 3, 5, 2, 4, 8, 6}});
  CHECK(tail_probability(table, std::numeric_limits<double>::infinity()) == 0);
  CHECK(tail_probability(table, std::numeric_limits<double>::quiet_NaN()) == 0);
}

TEST_CASE("it never grows, for any sample") {
  for (const Vector& sample : {Vector(Vector::Zero(2)), Vector(Vector::Constant(50, 4)), Vector{{0, 3}},
                               Vector{{1, 1, 1, 2, 2, 2, 2, 9}}, Vector(Vector::LinSpaced(300, 0, 1))}) {
    const TailTable table = fit_tail(sample);
    double previous = 1;
    for (double x = 0; x < 40; x += 0.01) {
      const double p = tail_probability(table, x);
      REQUIRE(std::isfinite(p));
      REQUIRE(p <= previous);
      REQUIRE(p >= 0);
      previous = p;
    }
    for (Index i = 1; i < table.values.size(); ++i) {
      CHECK(table.values(i) > table.values(i - 1));
      CHECK(table.probabilities(i) < table.probabilities(i - 1));
    }
  }
}
