#include "parsimap/classifier/spatial_record.hpp"

#include <doctest/doctest.h>

namespace parsimap::test {

TEST_CASE("steps are named as they are asked for") {
  CHECK(to_string(SpatialSteps{false, false}) == "none");
  CHECK(to_string(SpatialSteps{true, false}) == "profiles");
  CHECK(to_string(SpatialSteps{false, true}) == "neighbours");
  CHECK(to_string(SpatialSteps{true, true}) == "profiles and neighbours");
}

}  // namespace parsimap::test
