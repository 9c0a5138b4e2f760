#include "parsimap/report/label_places_report.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("places are listed by rank, with where they are and what they may be") {
  LabelPlacesRecord record;
  record.scene = "scene.tif";
  record.model = "a.parsimap";
  record.file = "places.gpkg";
  record.pixels = 1200;
  record.least_distance = 12.5;
  record.distance_unit = "m";
  record.places = {{.position = {500000.5, 40.25},
                    .class_name = "oak",
                    .second_class = "pine",
                    .uncertainty = 0.75,
                    .novelty = 0.125},
                   {.position = {1, 2}, .class_name = "pine", .second_class = "oak", .uncertainty = 1, .novelty = 1}};
  const std::string text = label_places_text(record);
  CHECK(text.find("Places to label next, of 1200 pixels of scene.tif with a.parsimap, at least 12.5 m apart.") == 0);
  CHECK(text.find("1  500000.5  40.25  oak    pine") != std::string::npos);
  CHECK(text.find("0.75") != std::string::npos);
  CHECK(text.find("0.125\n") != std::string::npos);
  CHECK(text.find("2         1      2  pine   oak") != std::string::npos);
  CHECK(text.find("Places: places.gpkg\n") != std::string::npos);
}
