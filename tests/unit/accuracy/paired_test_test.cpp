#include "parsimap/accuracy/paired_test.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace parsimap;

TEST_CASE("few discordant pixels are a matter of coins") {
  // Two-sided 2 * P(X <= 2) of 10 fair coins: 2 * (1 + 10 + 45) / 1024.
  const McNemarTest few = mcnemar_test({100, 8, 2, 5});
  CHECK(few.exact);
  CHECK(few.p_value == doctest::Approx(112.0 / 1024));
  CHECK(mcnemar_test({100, 2, 8, 5}).p_value == few.p_value);
  CHECK(mcnemar_test({100, 5, 5, 0}).p_value == 1);
  CHECK(mcnemar_test({100, 0, 0, 0}).p_value == 1);
  CHECK(mcnemar_test({0, 6, 0, 0}).p_value == doctest::Approx(2.0 / 64));
}

TEST_CASE("many discordant pixels are chi-square with the continuity correction") {
  // The example of Agresti's approval ratings: 86 and 150 disagree.
  const McNemarTest many = mcnemar_test({794, 150, 86, 570});
  CHECK_FALSE(many.exact);
  CHECK(many.statistic == doctest::Approx(63.0 * 63.0 / 236));
  CHECK(many.p_value == doctest::Approx(std::erfc(std::sqrt(many.statistic / 2))));
  CHECK(many.p_value == doctest::Approx(4.115e-05).epsilon(1e-3));
  CHECK(mcnemar_test({0, 20, 20, 0}).p_value == 1);
}

TEST_CASE("both forms agree where one takes over") {
  const double exact = mcnemar_test({0, 17, 7, 0}).p_value;
  const double approximate = mcnemar_test({0, 18, 7, 0}).p_value;
  CHECK(mcnemar_test({0, 17, 7, 0}).exact);
  CHECK_FALSE(mcnemar_test({0, 18, 7, 0}).exact);
  CHECK(std::abs(exact - approximate) < 0.03);
}
