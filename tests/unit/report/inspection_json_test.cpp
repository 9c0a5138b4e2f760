#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/report/inspection_report.hpp"

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

TEST_CASE("inspect: wavelengths by class, and pairs of classes") {
  InspectionRecord record = test::small_inspection();
  CHECK(json::parse(inspection_json(record))["wavelengths"].is_null());
  record.wavelengths = test::small_wavelengths();
  for (const std::string& text : {inspection_json(record), inspection_data_json(record)}) {
    const json wavelengths = json::parse(text)["wavelengths"];
    CHECK(wavelengths["intervals"][1] ==
          json{{"first_band", 4}, {"last_band", 6}, {"bands", 3}, {"wavelengths", {500.0, 620.4}}});
    CHECK(wavelengths["all"]["accuracy"] == 0.9);
    CHECK(wavelengths["all"]["regions"] == 5);
    REQUIRE(wavelengths["classes"].size() == 1);
    CHECK(wavelengths["classes"][0]["name"] == "elm");
    CHECK(wavelengths["classes"][0]["effects"][1] == json{{"loss_rise", 1.0},
                                                          {"loss_rise_error", 0.125},
                                                          {"accuracy_without", 0.4},
                                                          {"loss_alone", 0.75},
                                                          {"accuracy_alone", 0.8}});
    CHECK(wavelengths["pairs"][0] == json{{"first", "oak"},
                                          {"second", "elm"},
                                          {"jeffries_matusita", 1.25},
                                          {"bhattacharyya", 1.0},
                                          {"confused", 0.5}});
    CHECK(wavelengths["pairs"][2]["confused"].is_null());
  }
}
