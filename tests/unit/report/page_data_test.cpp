#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/report/mapping_report.hpp"

#include "unit/accuracy/small_assessment.hpp"
#include "unit/classifier/small_model.hpp"

using namespace parsimap;
using nlohmann::json;

TEST_CASE("a training is samples, one run of one method, and the bands") {
  Model model = small_model();
  const DataDescription samples = {"scene", 3, {}, 8, {{"one", 4, {1, 2}, {0.5, 0.25}, {3, 1}, {}}}};
  BandTable bands(5);
  bands[1].wavelength = 500;
  const json data = json::parse(training_data_json(model, samples, bands, {{255, 0, 16}}));
  CHECK(data["data"][0]["classes"][0]["mean"] == json({1.0, 2.0}));
  const json& run = data["runs"][0];
  CHECK(run["data"] == "scene");
  CHECK(run["method"] == json{{"kernel", "hdda"}, {"criterion", "leave-one-out"}, {"dimension", nullptr}});
  CHECK(run["tests"][0]["name"] == "left-out training pixels");
  CHECK(run["tests"][0]["confusion_matrix"]["counts"] == json({{29, 1}, {0, 25}}));
  CHECK(data["colours"] == json({"#ff0010"}));
  CHECK(run["classes"][0] ==
        json{{"name", "Brocoli"}, {"trace", {0.5, 0.0123456789}}, {"weights", {0.5, 4.0}}, {"rest_weight", 0.1}});
  CHECK(data["band_numbers"] == json({1, 3, 5}));
  CHECK(data["dropped_bands"] == json({2, 4}));
  // One of the two is not known.
  CHECK(data["dropped_wavelengths"] == json::array());
  bands[3].wavelength = 600;
  CHECK(json::parse(training_data_json(model, samples, bands, {{255, 0, 16}}))["dropped_wavelengths"] ==
        json({500.0, 600.0}));
  model.provenance.validation = small_validation();
  const json tests = json::parse(training_data_json(model, samples, bands, {{255, 0, 16}}))["runs"][0]["tests"];
  CHECK(tests[0]["samples"] == 45);
  CHECK(tests[0]["confusion_matrix"]["counts"] == json({{20, 5}, {1, 19}}));
}

TEST_CASE("a model alone is the means of its samples, one run of one method, and the bands") {
  const json data = json::parse(model_data_json(small_model()));
  CHECK(data["data"][0]["classes"][1]["name"] == "Forêt \"dense\"");
  CHECK(data["data"][0]["classes"][1]["samples"] == 25);
  CHECK(data["data"][0]["classes"][1]["mean"].size() == 3);
  CHECK(data["data"][0]["classes"][1]["deviation"] == json::array());
  CHECK(data["runs"][0]["tests"][0]["name"] == "left-out training pixels");
  CHECK(data["colours"] == json({"#0080ff", "#e69f00"}));
  CHECK(data["dropped_bands"] == json({2, 4}));
}

TEST_CASE("a map is areas and histograms") {
  MappingRecord record;
  record.classes = {{3, "one", 17}};
  const json data = json::parse(mapping_data_json(record, {{255, 0, 16}}, {{"confidence", "Of all.", {1, 2, 3}}}));
  CHECK(data["areas"][0] == json{{"code", 3}, {"name", "one"}, {"colour", "#ff0010"}, {"pixels", 17}});
  CHECK(data["histograms"][0]["counts"] == json({1, 2, 3}));
  CHECK(data["runs"] == json::array());
  CHECK(data["data"] == json::array());
}

TEST_CASE("an assessment is a confusion matrix, and the reliability where it is known") {
  Assessment record = test::small_assessment({"yes", "no"});
  const json data = json::parse(assessment_data_json(record));
  const json& test = data["runs"][0]["tests"][0];
  CHECK(test["name"] == "reference.gpkg");
  CHECK(test["overall_accuracy"] == 0.7);
  CHECK(test["confusion_matrix"]["counts"] == json({{20, 5}, {10, 15}}));
  CHECK_FALSE(data.contains("reliability"));
  record.reliability.emplace().add(0.52, true);
  const json bins = json::parse(assessment_data_json(record))["reliability"];
  CHECK(bins[10]["pixels"] == 1);
  CHECK(bins[10]["confidence"] == 0.52);
}
