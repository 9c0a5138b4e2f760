#include "parsimap/json/accuracy_record.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "unit/accuracy/small_assessment.hpp"

using namespace parsimap;
using nlohmann::json;

namespace {

std::vector<std::string> keys_of(const std::string& text) {
  std::vector<std::string> keys;
  // Held by name: items() refers to the object it is called on.
  const auto document = nlohmann::ordered_json::parse(text);
  for (const auto& [key, value] : document.items()) {
    keys.push_back(key);
  }
  return keys;
}

json interval(const std::optional<Interval>& value) { return {value->low, value->high}; }

}  // namespace

TEST_CASE("assess: the keys, and null where a measure is 0/0 or was not asked for") {
  ConfusionMatrix confusion({"water", "bare"});
  confusion.add(0, 0, 20);
  confusion.add(0, 1, 5);
  Assessment record{
      .map = "map.tif", .reference = "reference.gpkg", .confusion = confusion, .intervals = pixel_intervals(confusion)};
  record.unclassified_pixels = 3;
  const std::string text = accuracy_json(record, {"accuracy.txt"}, 0.1);
  CHECK(keys_of(text) == std::vector<std::string>{"pixels", "overall_accuracy", "average_accuracy", "kappa",
                                                  "confusion", "orientation", "classes", "unclassified_pixels",
                                                  "conflicting_pixels", "quantity_disagreement",
                                                  "allocation_disagreement", "intervals", "areas", "comparison", "map",
                                                  "reference", "files", "seconds"});
  const json document = json::parse(text);
  CHECK(document["pixels"] == 25);
  CHECK(document["overall_accuracy"] == 0.8);
  CHECK(document["average_accuracy"] == 0.8);
  CHECK(document["kappa"] == 0.0);
  CHECK(document["confusion"] == json({{20, 5}, {0, 0}}));
  CHECK(document["orientation"] == "rows are reference, columns are map");
  const ClassIntervals& intervals = record.intervals.classes[0];
  CHECK(document["classes"][0] == json{{"name", "water"},
                                       {"reference_pixels", 25},
                                       {"producers_accuracy", 0.8},
                                       {"users_accuracy", 1.0},
                                       {"f1", 40.0 / 45.0},
                                       {"map_pixels", 20},
                                       {"intervals",
                                        {{"producers_accuracy", interval(intervals.producers_accuracy)},
                                         {"users_accuracy", interval(intervals.users_accuracy)},
                                         {"f1", interval(intervals.f1)}}}});
  CHECK(document["classes"][1]["producers_accuracy"].is_null());
  CHECK(document["classes"][1]["intervals"]["producers_accuracy"].is_null());
  CHECK(document["classes"][1]["users_accuracy"] == 0.0);
  CHECK(document["unclassified_pixels"] == 3);
  CHECK(document["quantity_disagreement"] == 0.2);
  CHECK(document["allocation_disagreement"] == 0.0);
  CHECK(document["intervals"]["confidence"] == 0.95);
  CHECK(document["intervals"]["regions"].is_null());
  CHECK(document["intervals"]["overall_accuracy"] == interval(wilson_interval(0.8, 25)));
  CHECK(document["areas"].is_null());
  CHECK(document["comparison"].is_null());
  CHECK(document["files"] == json({"accuracy.txt"}));
  CHECK(document["seconds"] == 0.1);
}

TEST_CASE("assess: areas in their unit, with errors and intervals") {
  Assessment record = test::small_assessment({"yes", "no"});
  record.areas = test::small_areas();
  record.areas->merged_strata = {"a + b"};
  record.areas->estimate.classes[1].users_accuracy.reset();
  record.areas->estimate.classes[1].share.interval.reset();
  const AreaEstimate& estimate = record.areas->estimate;
  const json areas = json::parse(accuracy_json(record, {}, 0))["areas"];
  CHECK(areas["design"] == "stratified");
  CHECK(areas["strata"].is_null());
  CHECK(areas["pixels"] == 400);
  CHECK(areas["unit"] == "ha");
  CHECK(areas["total"] == 36.0);
  CHECK(areas["square_metres_per_pixel"] == 900.0);
  CHECK(areas["shares"][0][1] == estimate.shares(0, 1));
  CHECK(areas["overall_accuracy"]["standard_error"] == estimate.overall_accuracy.standard_error);
  CHECK(areas["classes"][0]["mapped_area"] == 27.0);
  CHECK(areas["classes"][0]["area"]["value"] == 20.25);
  CHECK(areas["classes"][0]["area"]["interval"][0] == estimate.classes[0].share.interval->low * 36);
  CHECK(areas["classes"][1]["area"]["interval"].is_null());
  CHECK(areas["classes"][1]["users_accuracy"].is_null());
  CHECK(areas["merged_strata"] == json({"a + b"}));
  CHECK(areas["single_unit_strata"] == json::array());
}

TEST_CASE("assess: a second map") {
  Assessment record = test::small_assessment({"yes", "no"});
  record.comparison = test::small_comparison();
  const json comparison = json::parse(accuracy_json(record, {}, 0))["comparison"];
  CHECK(comparison["map"] == "other.tif");
  CHECK(comparison["first_only_right"] == 8);
  CHECK(comparison["difference"] == 0.12);
  CHECK(comparison["difference_interval"] == json({-0.01, 0.25}));
  CHECK(comparison["mcnemar"]["test"] == "exact binomial");
  CHECK(comparison["mcnemar"]["chi_square"].is_null());
  CHECK(comparison["mcnemar"]["p_value"] == 112.0 / 1024);
}
