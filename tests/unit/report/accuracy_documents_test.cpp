
#include "parsimap/report/accuracy_documents.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/core/error.hpp"

#include "unit/accuracy/small_assessment.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/report/document_keys.hpp"

using namespace parsimap;
using nlohmann::json;

namespace {

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
  CHECK(first_keys(text) == std::vector<std::string>{"pixels", "overall_accuracy", "average_accuracy", "kappa",
                                                     "confusion", "orientation", "classes", "unclassified_pixels",
                                                     "conflicting_pixels", "quantity_disagreement",
                                                     "allocation_disagreement", "intervals", "areas", "comparison",
                                                     "map", "reference", "files", "seconds"});
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

TEST_CASE("assess: how far a sample has come, there and back") {
  Assessment record = test::small_assessment({"yes", "no"});
  record.areas = test::areas_of_sample();
  record.areas->design = SamplingDesign::clusters;
  const std::string text = accuracy_json(record, {}, 0);
  const json sample = json::parse(text)["areas"]["sample"];
  CHECK(sample["labelled"] == 50);
  CHECK(sample["aims"][0] == json{{"aim", "overall:0.05"}, {"standard_error", 0.07}, {"points", 98}});
  CHECK(sample["aims"][2]["points"].is_null());
  CHECK(sample["classes"][1]["users_accuracy"].is_null());
  const TemporaryFolder folder;
  write_file(folder.file("accuracy.json"), text);
  const Assessment again = read_accuracy(folder.file("accuracy.json"));
  CHECK(again.areas->design == SamplingDesign::clusters);
  CHECK(again.areas->sample->overall_accuracy == Interval{0.5, 0.875});
  CHECK(accuracy_json(again, {}, 0) == text);
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
  CHECK(comparison["first_overall_accuracy"] == 0.76);
  // The points of a sample count unequally, and their shares are no accuracies.
  record.comparison->sampled = SampledDifference{.value = 0.02, .interval = {0.01, 0.03}};
  const json sampled = json::parse(accuracy_json(record, {}, 0))["comparison"];
  CHECK(sampled["difference"] == 0.02);
  CHECK(sampled["first_overall_accuracy"].is_null());
  CHECK(sampled["second_overall_accuracy"].is_null());
  CHECK(test::contains(comparison_csv(*record.comparison), "first_overall_accuracy,\r\nsecond_overall_accuracy,\r\n"));
}

namespace parsimap::test {
namespace {

std::string text_of(const Assessment& record) { return accuracy_json(record, {"accuracy.txt"}, 0.5); }

Assessment accuracy_of(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.file("accuracy.json"), text);
  return read_accuracy(folder.file("accuracy.json"));
}

}  // namespace

TEST_CASE("what was written is read again") {
  Assessment record = small_assessment({"yes", "n\"o"});
  record.intervals.kappa->regions = 12.5;
  record.intervals.classes[1].f1->regions = 3.5;
  record.codes = {4, std::nullopt};
  record.unclassified_pixels = 3;
  record.conflicting_pixels = 2;
  CHECK(accuracy_of(text_of(record)).codes == record.codes);
  CHECK(text_of(accuracy_of(text_of(record))) == text_of(record));
  record.intervals.regions = 7;
  record.intervals.classes[1].regions = 5;
  record.intervals.kappa.reset();
  record.comparison = small_comparison();
  CHECK(text_of(accuracy_of(text_of(record))) == text_of(record));
  CHECK_FALSE(accuracy_of(text_of(record)).areas);
}

TEST_CASE("areas are shares again") {
  Assessment record = small_assessment({"yes", "no"});
  record.areas = small_areas();
  const Assessment again = accuracy_of(text_of(record));
  REQUIRE(again.areas);
  CHECK(again.areas->design == SamplingDesign::stratified);
  CHECK(again.areas->estimate.pixels == 400);
  CHECK(area_unit(*again.areas).name == "ha");
  const ClassEstimate& wanted = record.areas->estimate.classes[0];
  const ClassEstimate& found = again.areas->estimate.classes[0];
  CHECK(found.mapped_share == doctest::Approx(wanted.mapped_share));
  CHECK(found.share.value == doctest::Approx(wanted.share.value));
  CHECK(found.share.interval->high == doctest::Approx(wanted.share.interval->high));
  CHECK(found.producers_accuracy->value == wanted.producers_accuracy->value);
}

TEST_CASE("another document is refused with its name") {
  const auto refused = [](const std::string& text) { return message_of([&] { accuracy_of(text); }); };
  for (const char* text : {"", "{", "[]", "{}", "{\"classes\": 3}", "{\"classes\": []}"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(accuracy_of(text), DataError);
    CHECK(refused(text).find("accuracy.json") != std::string::npos);
  }
  nlohmann::json document = nlohmann::json::parse(text_of(small_assessment({"yes", "no"})));
  document["confusion"][0][0] = -1;
  CHECK_THROWS_AS(accuracy_of(document.dump()), DataError);
  for (const nlohmann::json& count :
       {nlohmann::json(0.5), nlohmann::json(std::int64_t{1} << 60U), nlohmann::json("7")}) {
    document["confusion"][0][0] = count;
    CHECK_THROWS_AS(accuracy_of(document.dump()), DataError);
  }
  CHECK(refused(document.dump())
            .find("/confusion/0/0 must be a whole number from 0 to 1099511627776; it must be a document of") !=
        std::string::npos);
  document["confusion"][0].erase(1);
  CHECK_THROWS_AS(accuracy_of(document.dump()), DataError);
  document = nlohmann::json::parse(text_of(small_assessment({"yes", "no"})));
  document["areas"] = nlohmann::json::object();
  CHECK_THROWS_AS(accuracy_of(document.dump()), DataError);
  Assessment with_areas = small_assessment({"yes", "no"});
  with_areas.areas = small_areas();
  document = nlohmann::json::parse(text_of(with_areas));
  for (const double area : {-900.0, 0.0, 90.0}) {
    document["areas"]["square_metres_per_pixel"] = area;
    CHECK(refused(document.dump()).find("the total area is 36; by pixels and their size it must be") !=
          std::string::npos);
  }
  CHECK_THROWS_AS(read_accuracy("/no/such/accuracy.json"), DataError);
}

}  // namespace parsimap::test
