#include <doctest/doctest.h>

#include <string>
#include <vector>

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
