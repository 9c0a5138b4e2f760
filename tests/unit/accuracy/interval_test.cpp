#include "parsimap/accuracy/interval.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <doctest/doctest.h>

#include <cmath>

using namespace parsimap;

TEST_CASE("Wilson's interval of Newcombe's published cases") {
  // Newcombe (1998), Statistics in Medicine 17, table I, method 3.
  const auto check = [](double successes, double trials, double low, double high) {
    const Interval interval = wilson_interval(successes / trials, trials);
    CHECK(std::abs(interval.low - low) < 6e-5);
    CHECK(std::abs(interval.high - high) < 6e-5);
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(1, 29, 0.0061, 0.1718);
  CHECK(wilson_interval(0, 20).low == 0);
  CHECK(wilson_interval(0, 20).high == doctest::Approx(0.1611).epsilon(1e-3));
}

TEST_CASE("Wilson's interval solves the score equation, and mirrors with the share") {
  const double z = normal_quantile();
  CHECK(z == doctest::Approx(1.959963984540054).epsilon(1e-14));
  const Interval interval = wilson_interval(0.83, 41.5);
  for (const double bound : {interval.low, interval.high}) {
    CHECK(std::abs(0.83 - bound) == doctest::Approx(z * std::sqrt(bound * (1 - bound) / 41.5)));
  }
  const Interval mirrored = wilson_interval(0.17, 41.5);
  CHECK(mirrored.low == doctest::Approx(1 - interval.high));
  CHECK(mirrored.high == doctest::Approx(1 - interval.low));
}

TEST_CASE("Wilson's interval is never of zero width and covers as often as it says") {
  for (const double share : {0.0, 1.0}) {
    const Interval interval = wilson_interval(share, 1);
    CHECK(interval.high - interval.low > 0.7);
  }
  for (const double truth : {0.3, 0.7, 0.9, 0.95}) {
    const int trials = 60;
    const boost::math::binomial distribution(trials, truth);
    double covered = 0;
    for (int k = 0; k <= trials; ++k) {
      const Interval interval = wilson_interval(static_cast<double>(k) / trials, trials);
      covered += interval.low <= truth && truth <= interval.high ? boost::math::pdf(distribution, k) : 0;
    }
    CHECK(covered > 0.92);
    CHECK(covered < 0.98);
  }
}

TEST_CASE("a normal interval is cut where values end") {
  CHECK(normal_interval(0.5, 0.1, 0, 1).low == doctest::Approx(0.5 - 0.1959963984540054));
  CHECK(normal_interval(0.95, 0.1, 0, 1).high == 1);
  CHECK(normal_interval(-0.95, 0.1, -1, 1).low == -1);
}
