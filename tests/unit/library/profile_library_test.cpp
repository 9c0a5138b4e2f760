#include "library/profile_library.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/library/library_file.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

namespace {

std::string collection(const std::string& features) {
  return R"({"type":"FeatureCollection","features":[)" + features + "]}";
}

std::string feature(const std::string& properties) {
  return R"({"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{)" + properties + "}}";
}

}  // namespace

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

TEST_CASE("a vector layer with a field of profiles is a library") {
  const TemporaryFolder folder;
  const std::string path = folder.file("lib.geojson");
  write_file(path, collection(feature(R"("name":"oak","level":2,"profiles":"{\"x\":[450,550],\"y\":[1,2]}")") + "," +
                              feature(R"("name":"sand","level":3,"profiles":"{\"x\":[450,550],\"y\":[3,4]}")")));
  CHECK(is_library(path));
  const SpectralLibrary library = read_library(path);
  CHECK(library.names == std::vector<std::string>{"oak", "sand"});
  CHECK(library.attributes == std::vector<std::string>{"level"});
  CHECK(library.values[1] == std::vector<std::string>{"3"});
  CHECK(library.spectra(1, 0) == 3);
  CHECK(library.bands[1].wavelength == 550);
}

TEST_CASE("a vector layer without profiles is none") {
  const TemporaryFolder folder;
  write_file(folder.file("a.geojson"), collection(feature(R"("name":"oak")")));
  CHECK_FALSE(is_library(folder.file("a.geojson")));
  write_file(folder.file("b.geojson"), "{");
  CHECK_FALSE(is_library(folder.file("b.geojson")));
}

}  // namespace parsimap::test
