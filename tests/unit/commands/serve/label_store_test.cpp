#include "commands/serve/label_store.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

namespace parsimap::test {
namespace {

using Json = nlohmann::ordered_json;

RasterGrid labelled_grid() {
  RasterGrid grid;
  grid.width = 10;
  grid.height = 8;
  grid.geotransform = {100, 2, 0, 50, 0, -2};
  return grid;
}

Json polygon(const char* feature, const char* name) {
  return {{"feature", feature},
          {"class", name},
          {"geometry", {{"type", "Polygon"}, {"coordinates", {{{100, 50}, {104, 50}, {104, 46}, {100, 50}}}}}}};
}

}  // namespace

TEST_CASE("equal labels make equal documents, whatever changes have led to them") {
  const RasterGrid grid = labelled_grid();
  LabelStore one;
  one.change({{"set", {polygon("b", "water"), polygon("a", "soil")}}}, grid);
  LabelStore other;
  other.change({{"set", {polygon("a", "water"), polygon("c", "soil")}}}, grid);
  other.change({{"remove", {"c"}}, {"set", {polygon("a", "soil")}}}, grid);
  other.change({{"set", {polygon("b", "water")}}}, grid);
  CHECK(one.document(grid) == other.document(grid));
  CHECK(one.size() == 2);
  CHECK(one.name(1) == "a");
  CHECK(one.name(2) == "b");
  CHECK(one.name(3).empty());
  CHECK(one.name(0).empty());
  other.change({{"clear", true}}, grid);
  CHECK(other.empty());
}

TEST_CASE("pixels are points at their centres, and a reference system is named in the document") {
  const RasterGrid grid = labelled_grid();
  LabelStore labels;
  labels.change({{"set", {{{"feature", "p"}, {"class", "a"}, {"pixels", {{0, 0}, {9, 7}}}}}}}, grid);
  const Json document = Json::parse(labels.document(grid));
  CHECK(document["crs"].is_null());
  CHECK(document["features"][0]["geometry"]["coordinates"] == Json({{101.0, 49.0}, {119.0, 35.0}}));
  LabelStore elsewhere;
  elsewhere.change({{"crs", "EPSG:4326"}, {"set", {polygon("a", "soil")}}}, grid);
  CHECK(Json::parse(elsewhere.document(grid))["crs"]["properties"]["name"] == "EPSG:4326");
  CHECK_THROWS_AS(elsewhere.change({{"crs", "EPSG:32631"}}, grid), ConfigError);
  CHECK_THROWS_WITH_AS(elsewhere.change({{"clear", true}, {"crs", "EPSG:99999"}}, grid),
                       "crs is 'EPSG:99999', which is no known reference system; such as EPSG:4326, or WKT",
                       ConfigError);
}

TEST_CASE("changes that are none are refused") {
  const RasterGrid grid = labelled_grid();
  LabelStore labels;
  CHECK_THROWS_AS(labels.change({{"remove", {"a"}}}, grid), ConfigError);
  const auto refused = [&](const Json& shape) {
    Json feature = {{"feature", "a"}, {"class", "b"}};
    feature.update(shape);
    CHECK_THROWS_AS(labels.change({{"set", {feature}}}, grid), ConfigError);
  };
  refused(Json::object());
  refused({{"pixels", {{10, 0}}}});
  refused({{"pixels", {{0, 8}}}});
  refused({{"geometry", {{"type", "Nonsense"}}}});
  refused({{"geometry", {{"type", 5}}}});
  refused({{"geometry", {{"type", "Point"}, {"coordinates", Json::array()}}}});
  refused({{"geometry", {{"type", "Point"}, {"coordinates", {1, 2}}}}, {"pixels", {{0, 0}}}});
}

}  // namespace parsimap::test
