#include "parsimap/gdal/vector/feature_table.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("the attributes of a layer are read as texts") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.geojson");
  write_file(path, R"({"type":"FeatureCollection","features":[
    {"type":"Feature","geometry":null,"properties":{"name":null,"code":3,"share":0.5}},
    {"type":"Feature","geometry":null,"properties":{"name":"oak","code":null,"share":null}}]})");
  const auto field = find_profile_field(path, [](const std::string& text) { return text == "oak"; });
  REQUIRE(field);
  CHECK(field->second == "name");
  const FeatureTable table = read_feature_table(path, field->first);
  CHECK(table.columns == std::vector<std::string>{"name", "code", "share"});
  CHECK(table.rows == std::vector<std::vector<std::string>>{{"", "3", "0.5"}, {"oak", "", ""}});
  CHECK_FALSE(find_profile_field(path, [](const std::string& text) { return text == "beech"; }));
}

TEST_CASE("a file or layer that is not there is refused") {
  const TemporaryFolder folder;
  CHECK_FALSE(find_profile_field(folder.file("absent.gpkg"), [](const std::string&) { return true; }));
  CHECK(message_of([&] { read_feature_table(folder.file("absent.gpkg"), "a"); }).find("absent.gpkg cannot be opened") !=
        std::string::npos);
}

}  // namespace parsimap::test
