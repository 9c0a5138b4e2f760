#include "library/profile.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("a profile has values, and wavelengths, widths and bad bands where they are known") {
  const Profile profile = parse_profile(
      R"({"bbl":[1,0],"fwhm":[0.01,0.02],"x":["0.45",0.55],"xUnit":"μm","y":[3,null],"yUnit":"reflectance"})", "a");
  CHECK(profile.values[0] == 3);
  CHECK(std::isnan(profile.values[1]));
  CHECK(*profile.bands[0].wavelength == doctest::Approx(450));
  CHECK(*profile.bands[1].fwhm == doctest::Approx(20));
  CHECK(profile.bands[1].bad);
  CHECK(profile.quantity == "reflectance");
  CHECK_FALSE(profile.origin);
  CHECK(parse_profile(R"({"y":[1]})", "a").bands == BandTable(1));
}

TEST_CASE("a profile that a training has kept says where its bands come from") {
  const Profile profile = parse_profile(
      R"({"y":[1,2],"sceneBands":"3","bands":"1 3","droppedBands":"constant: 2","bandNames":["a","b"]})", "a");
  REQUIRE(profile.origin);
  CHECK(profile.origin->bands == Indices{0, 2});
  CHECK(profile.bands[1].name == "b");
}

TEST_CASE("texts that are no profiles are refused") {
  CHECK(looks_like_profile(R"( {"x":[1],"y":[2]})"));
  CHECK_FALSE(looks_like_profile("forest"));
  CHECK_FALSE(looks_like_profile(R"({"class":3})"));
  for (const char* text : {"", "[1]", "{\"y\":[1}", "{\"y\":1}", "{\"y\":[]}", "{\"x\":[1]}"}) {
    CAPTURE(text);
    CHECK(message_of([&] { parse_profile(text, "row 1"); }).starts_with("row 1: "));
  }
}

}  // namespace parsimap::test
