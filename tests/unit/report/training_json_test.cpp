#include "parsimap/report/training_json.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>

#include "parsimap/report/training_report.hpp"

#include "unit/classifier/small_model.hpp"
#include "unit/report/document_keys.hpp"

using namespace parsimap;
using nlohmann::json;

TEST_CASE("train: the keys of the issue, then the rest") {
  TrainingRecord record;
  record.labels = {"a.gpkg", "b.gpkg"};
  record.model = "m.parsimap";
  record.invalid_pixels = 4;
  record.seconds = 1.5;
  record.stages = {{"read", 0.25}, {"train", 1.25}};
  record.peak_memory_bytes = std::int64_t{100} << 20U;
  const std::string text = training_json(small_model(), record);
  CHECK(first_keys(text, 5) ==
        std::vector<std::string>{"bands_used", "training_pixels", "classes", "left_out_accuracy", "left_out"});
  const json document = json::parse(text);
  CHECK(document["bands_used"] == 3);
  CHECK(document["training_pixels"] == 55);
  CHECK(document["left_out_accuracy"] == doctest::Approx(54.0 / 55));
  json left_out = document["left_out"];
  // A weighted mean over the classes, which need not be the quotient to the last bit.
  CHECK(left_out["accuracy"] == doctest::Approx(54.0 / 55));
  left_out.erase("accuracy");
  CHECK(left_out == json{{"average_accuracy", (29.0 / 30 + 1) / 2},
                         {"condition", nullptr},
                         {"problem", "none"},
                         {"by_distance", json::array()},
                         {"not_measured", nullptr},
                         {"inside", nullptr},
                         {"interval", nullptr},
                         {"average_interval", nullptr},
                         {"map_shares", nullptr},
                         {"neighbours", false},
                         {"other_places", false},
                         {"pixels", 55},
                         {"units", 12},
                         {"unit_design", nullptr},
                         {"classes_by_region", {"Brocoli"}},
                         {"classes_by_pixel", {"Forêt \"dense\""}},
                         {"confusion", {{29, 1}, {0, 25}}},
                         {"orientation", "rows are reference, columns are predicted"},
                         {"balanced_weights", nullptr}});
  CHECK(document["classes"][0]["left_out_accuracy"] == 29.0 / 30);
  CHECK(document["classes"][0]["confused_with"] == "Forêt \"dense\"");
  CHECK(document["classes"][0]["confused_share"] == 1.0 / 30);
  CHECK(document["scan"].size() == 2);
  CHECK(document["scan"][1]["chosen"] == true);
  CHECK(document["scan"][1]["gain_error"] == 0.0625);
  CHECK(document["classes"][1] ==
        json{{"name", "Forêt \"dense\""},
             {"samples", 25},
             {"regions", 4},
             {"left_out_accuracy", 1.0},
             {"confused_with", nullptr},
             {"confused_share", nullptr},
             {"dimension", 1},
             {"criterion",
              {{"name", "leave-one-out"}, {"value", 0.0123456789}, {"evaluations", 41}, {"stop_reason", "gradient"}}},
             {"C", 1.0 / 3.0},
             {"support_vectors", 2},
             {"kkt_violation", 3.5e-12},
             {"code", 7},
             {"solver_stop", "optimal"}});
  // Bands count from 1, as in GDAL.
  CHECK(document["dropped_bands"] ==
        json::array({{{"band", 2}, {"reason", "marked as bad"}}, {{"band", 4}, {"reason", "no data"}}}));
  CHECK(document["stages"]["train"] == 1.25);
  CHECK(document["pixels_per_second"] == doctest::Approx(55 / 1.5));
  CHECK(document["peak_memory_mb"] == 100.0);
  CHECK(document["labels"] == json::array({"a.gpkg", "b.gpkg"}));
  CHECK(document["validation"].is_null());
  CHECK(document["invalid_pixels"] == 4);
  CHECK(text.ends_with("}\n"));
}

TEST_CASE("values that are not finite are null, numbers read back the same, text is made UTF-8") {
  Model model = small_model();
  model.classifiers[0].selection.value = std::numeric_limits<double>::infinity();
  model.classifiers[0].kkt_violation = std::numeric_limits<double>::quiet_NaN();
  model.classifiers[0].C = 0.1;
  model.classifiers[1].C = 5e-324;
  model.classes[0].name = "caf\xe9";
  const std::string text = training_json(model, {});
  const json document = json::parse(text);
  CHECK(document["classes"][0]["criterion"]["value"].is_null());
  CHECK(document["classes"][0]["kkt_violation"].is_null());
  CHECK(document["classes"][1]["C"] == 5e-324);
  CHECK(text.find("\"C\": 0.1,") != std::string::npos);
  CHECK(document["classes"][0]["name"] == "caf\xef\xbf\xbd");
}

TEST_CASE("a validation in the documents of train and info") {
  Model model = small_model();
  model.provenance.validation = small_validation();
  const json document = json::parse(training_json(model, {}))["validation"];
  CHECK(document == json::parse(info_json(model, "m"))["validation"]);
  CHECK(document["folds"] == 2);
  CHECK(document["repeats"] == 2);
  CHECK(document["grouping"] == "regions");
  CHECK(document["buffer"] == 12.5);
  CHECK(document["pixels"] == 45);
  CHECK(document["overall_accuracy"] == doctest::Approx(39.0 / 45.0));
  CHECK(document["over_folds"]["overall_accuracy"]["mean"] == doctest::Approx(0.9));
  CHECK(document["over_folds"]["overall_accuracy"]["deviation"] == doctest::Approx(0.1));
  CHECK(document["confusion"] == json({{20, 5}, {1, 19}}));
  CHECK(document["classes"][0]["producers_accuracy"] == 0.8);
  CHECK(document["classes"][1]["predicted_pixels"] == 24);
  REQUIRE(document["results"].size() == 3);
  CHECK(document["results"][1]["repeat"] == 1);
  CHECK(document["results"][1]["fold"] == 2);
  CHECK(document["results"][1]["kappa"].is_null());
  CHECK(document["results"][2]["repeat"] == 2);
  CHECK(document["results"][2]["training_pixels"] == 28);
}

TEST_CASE("profiles in the documents of train and info: kept, not kept, or not there") {
  CHECK(json::parse(info_json(small_model(), "m"))["profile"].is_null());
  Model model = small_profiled_model();
  const json kept = json::parse(training_json(model, {}))["profile"];
  CHECK(kept == json::parse(info_json(model, "m"))["profile"]);
  CHECK(kept["kept"] == true);
  CHECK(kept["share"] == 0.3);
  CHECK(kept["gain"] == 0.025);
  CHECK(kept["design"]["features"] == 10);
  CHECK(kept["design"]["unit"] == "m");
  model.profile.reset();
  model.profile_score->gain = -1;
  const json left = json::parse(info_json(model, "m"))["profile"];
  CHECK(left["kept"] == false);
  CHECK(left["design"].is_null());
}

TEST_CASE("info: models") {
  const json model = json::parse(info_json(small_model(), "m.parsimap"));
  CHECK(model["kind"] == "model");
  CHECK(model["kernel"] == "hdda");
  CHECK(model["bands"][1] == json{{"band", 3},
                                  {"name", ""},
                                  {"wavelength", nullptr},
                                  {"bad", true},
                                  {"scale", 1.0},
                                  {"offset", 0.0},
                                  {"fwhm", nullptr}});
  CHECK(model["bands"][0]["scale"] == 1e-4);
  CHECK(model["dropped_bands"][1] == json{{"band", 4}, {"reason", "no data"}});
  CHECK(model["classes"].size() == 2);
  CHECK(model["provenance"]["seed"] == 18446744073709551615ULL);
  CHECK(model["provenance"]["options"]["dimension"] == "scree:0.01");
  CHECK(model["provenance"]["inputs"][0] == json{{"path", "scene.hdr"}, {"bytes", 123456789012}});
}
