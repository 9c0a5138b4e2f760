#include "parsimap/io/json/inspection_record.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "support/small_inspection.hpp"

using namespace parsimap;
using nlohmann::json;

TEST_CASE("inspect: regions by rank, classes, and null where nothing is known") {
  const json document = json::parse(inspection_json(test::small_inspection()));
  CHECK(document["regions"].size() == 3);
  CHECK(document["regions"][0] == json{{"rank", 1},
                                       {"label", "oak"},
                                       {"likely", "elm"},
                                       {"margin", -1.25},
                                       {"label_probability", 0.125},
                                       {"likely_probability", 0.75},
                                       {"label_known", true},
                                       {"pixels", 2},
                                       {"pixels_against", 2},
                                       {"x", 10.5},
                                       {"y", 20.0},
                                       {"feature", 41}});
  CHECK(document["regions"][2]["feature"].is_null());
  CHECK(document["suspicious_regions"] == 1);
  CHECK(document["pixels"] == 5);
  CHECK(document["classes"][0]["agreement"] == 0.5);
  CHECK(document["classes"][0]["taken_for"] == "elm");
  CHECK(document["classes"][1]["agreement"].is_null());
  CHECK(document["confusion"] == json({{2, 2, 0}, {0, 0, 0}, {0, 0, 0}}));
  CHECK(document["labels"] == json({"labels.gpkg"}));
  CHECK(document["suspects"].is_null());
}

TEST_CASE("the page of an inspection gets a document that the figures can read") {
  const json document = json::parse(inspection_data_json(test::small_inspection()));
  CHECK(document["data"].empty());
  CHECK(document["runs"].empty());
}
