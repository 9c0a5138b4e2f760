#include "parsimap/json/label_places_record.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace parsimap;

TEST_CASE("the document has every place with its rank") {
  LabelPlacesRecord record;
  record.scene = "scene.tif";
  record.model = "a.parsimap";
  record.file = "places.gpkg";
  record.excluded = {"labels.gpkg"};
  record.asked = 3;
  record.pixels = 1200;
  record.least_distance = 12.5;
  record.distance_unit = "m";
  record.places = {{.column = 4,
                    .row = 9,
                    .position = {4.5, 9.5},
                    .class_name = "oak",
                    .second_class = "pine",
                    .probability = 0.5,
                    .second_probability = 0.25,
                    .uncertainty = 0.75,
                    .novelty = 0.125}};
  record.stages = {{"search", 2}};
  const auto document = nlohmann::json::parse(label_places_json(record));
  CHECK(document["scene"] == "scene.tif");
  CHECK(document["model"] == "a.parsimap");
  CHECK(document["file"] == "places.gpkg");
  CHECK(document["excluded"] == nlohmann::json{"labels.gpkg"});
  CHECK(document["asked"] == 3);
  CHECK(document["pixels"] == 1200);
  CHECK(document["least_distance"] == 12.5);
  CHECK(document["distance_unit"] == "m");
  CHECK(document["stages"]["search"] == 2);
  CHECK(document["peak_memory_mb"].is_null());
  REQUIRE(document["places"].size() == 1);
  const auto& place = document["places"][0];
  CHECK(place["rank"] == 1);
  CHECK(place["x"] == 4.5);
  CHECK(place["y"] == 9.5);
  CHECK(place["column"] == 4);
  CHECK(place["row"] == 9);
  CHECK(place["class"] == "oak");
  CHECK(place["second_class"] == "pine");
  CHECK(place["probability"] == 0.5);
  CHECK(place["second_probability"] == 0.25);
  CHECK(place["uncertainty"] == 0.75);
  CHECK(place["novelty"] == 0.125);
}
