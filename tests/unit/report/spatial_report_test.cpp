#include "parsimap/report/spatial_report.hpp"

#include <doctest/doctest.h>

namespace parsimap::test {
namespace {

SpatialRecord judged() {
  const SpatialSteps none;
  const SpatialSteps profiles{true, false};
  const SpatialSteps both{true, true};
  return {
      "auto", both, {{none, none, 0.8, 0, 0}, {profiles, none, 0.9, 0.1, 0.012}, {both, profiles, 0.95, 0.05, 0.01}},
      500,    25,   2,
      8};
}

}  // namespace

TEST_CASE("a judgement says what was compared, on what, and what is kept") {
  CHECK(
      spatial_text(judged()) ==
      "Surroundings of pixels: profiles and neighbours, judged on 500 training pixels left out with 8 pixels around "
      "them: none 80.0 % right; profiles 90.0 % (+10.0 +- 1.2 points over none); profiles and neighbours 95.0 % (+5.0 "
      "+- 1.0 points over profiles). A step is kept that gains more than its error.");
  const PageTable table = spatial_table(judged());
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[2] ==
        std::vector<std::string>{"profiles and neighbours", "profiles", "yes", "95.0", "+5.0", "1.0", "500"});
}

TEST_CASE("a step that is not kept is told, too") {
  SpatialRecord record = judged();
  record.steps = {true, false};
  CHECK(spatial_table(record).rows[1][2] == "yes");
  CHECK(spatial_table(record).rows[2][2] == "no");
}

TEST_CASE("what was not judged was asked for, or could not be judged") {
  CHECK(spatial_text({"profiles", {true, false}}) == "Surroundings of pixels: profiles, as asked for.");
  CHECK(spatial_text({"auto", {}, {}, 0, 0, 4, 8, "too few training pixels"}) ==
        "Surroundings of pixels: none, since nothing could be judged: too few training pixels (8 pixels).");
  CHECK(spatial_table({"profiles", {true, false}}).rows.empty());
}

}  // namespace parsimap::test
