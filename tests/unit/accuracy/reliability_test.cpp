#include "parsimap/accuracy/reliability.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("pixels are gathered by their largest probability") {
  Reliability reliability;
  CHECK(!reliability.expected_calibration_error());
  reliability.add(0.51, true);
  reliability.add(0.54, false);
  reliability.add(0.96, true);
  reliability.add(1, true);
  const std::vector<ReliabilityBin> bins = reliability.bins();
  REQUIRE(bins.size() == 20);
  CHECK(bins[10].low == 0.5);
  CHECK(bins[10].high == 0.55);
  CHECK(bins[10].pixels == 2);
  CHECK(bins[10].confidence == doctest::Approx(0.525));
  CHECK(bins[10].accuracy == 0.5);
  CHECK(bins[19].pixels == 2);
  CHECK(bins[19].confidence == doctest::Approx(0.98));
  CHECK(bins[19].accuracy == 1);
  CHECK(bins[0].pixels == 0);
  CHECK(*reliability.expected_calibration_error() == doctest::Approx((2 * 0.025 + 2 * 0.02) / 4));
}
