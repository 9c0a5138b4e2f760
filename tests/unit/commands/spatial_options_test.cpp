#include "parsimap/commands/spatial_options.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

namespace parsimap::test {

TEST_CASE("spatial rules are read as they are written") {
  for (const SpatialRule rule :
       {SpatialRule::none, SpatialRule::automatic, SpatialRule::profiles, SpatialRule::neighbours}) {
    CHECK(parse_spatial_rule(to_string(rule)) == rule);
  }
  CHECK_THROWS_WITH_AS(parse_spatial_rule("both"),
                       "spatial rule 'both' is unknown; it must be auto, none, profiles or neighbours", ConfigError);
}

TEST_CASE("profiles are computed where they are used or judged") {
  CHECK_FALSE(SpatialOptions{}.wants_profiles());
  CHECK_FALSE(SpatialOptions{SpatialRule::neighbours}.wants_profiles());
  CHECK(SpatialOptions{SpatialRule::neighbours, true}.wants_profiles());
  CHECK(SpatialOptions{SpatialRule::automatic}.wants_profiles());
  CHECK(SpatialOptions{SpatialRule::profiles}.wants_profiles());
}

TEST_CASE("radii are in pixels or in metres") {
  const ProfileRadii pixels = parse_profile_radii("2,4,8");
  CHECK(pixels.values == std::vector<double>{2, 4, 8});
  CHECK_FALSE(pixels.metres);
  const ProfileRadii metres = parse_profile_radii("4.5m,60m");
  CHECK(metres.values == std::vector<double>{4.5, 60});
  CHECK(metres.metres);
}

TEST_CASE("radii that nobody can mean are refused, and it is said why") {
  const auto refuses = [](const std::string& text, const std::string& reason) {
    CAPTURE(text);
    try {
      parse_profile_radii(text);
      FAIL("not refused");
    } catch (const ConfigError& error) {
      CHECK(std::string(error.what()).find(reason) != std::string::npos);
    }
  };
  refuses("", "numbers above 0");
  refuses("2,,4", "numbers above 0");
  refuses("0,4", "numbers above 0");
  refuses("4,2", "that ascend");
  refuses("2,x", "numbers above 0");
  refuses("m", "numbers above 0");
  refuses("1e999m", "numbers above 0");
  refuses("2,30m", "all must be in pixels");
  refuses("30m,60", "all must be in pixels");
  refuses("1.5", "whole numbers of at most 32");
  refuses("2,33", "whole numbers of at most 32");
  refuses("1,2,3,4,5,6,7,8,9", "eight at most");
}

}  // namespace parsimap::test
