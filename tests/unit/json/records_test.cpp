#include "parsimap/json/records.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <limits>

#include "unit/classifier/small_model.hpp"

using namespace parsimap;
using nlohmann::json;

namespace {

std::vector<std::string> first_keys(const std::string& text, std::size_t count) {
  std::vector<std::string> keys;
  // Held by name: items() refers to the object it is called on.
  const auto document = nlohmann::ordered_json::parse(text);
  for (const auto& [key, value] : document.items()) {
    if (keys.size() < count) {
      keys.push_back(key);
    }
  }
  return keys;
}

}  // namespace

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
  CHECK(document["left_out_accuracy"] == 0.9818181818181818);
  CHECK(document["left_out"] == json{{"pixels", 55},
                                     {"units", 12},
                                     {"classes_by_region", {"Brocoli"}},
                                     {"classes_by_pixel", {"Forêt \"dense\""}},
                                     {"confusion", {{29, 1}, {0, 25}}},
                                     {"orientation", "rows are reference, columns are predicted"}});
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

TEST_CASE("classify: shares, speed and memory") {
  MappingRecord record;
  record.map = "map.tif";
  record.pixels = 200;
  record.classified = 80;
  record.classes = {{1, "a", 60}, {2, "b", 20}};
  record.seconds = 0.5;
  record.stages = {{"read", 0.1}};
  record.peak_memory_bytes = std::int64_t{100} << 20U;
  record.layers = {{"probabilities", std::nullopt}, {"novelty", std::nullopt}};
  const std::string text = mapping_json(record);
  CHECK(first_keys(text, 8) == std::vector<std::string>{"map", "pixels", "classified", "classes", "seconds", "stages",
                                                        "pixels_per_second", "peak_memory_mb"});
  const json document = json::parse(text);
  CHECK(document["classes"] == json::array({{{"name", "a"}, {"pixels", 60}, {"code", 1}, {"share", 0.75}},
                                            {{"name", "b"}, {"pixels", 20}, {"code", 2}, {"share", 0.25}}}));
  CHECK(document["pixels_per_second"] == 400.0);
  CHECK(document["peak_memory_mb"] == 100.0);
  CHECK(document["probabilities"].is_null());
  CHECK(document["rejected"] == 0);
  CHECK(document["novelty"].is_null());
  CHECK(document["segments"].is_null());
  CHECK(document["segments_out"].is_null());
  CHECK(document["segment_count"].is_null());

  record.classified = 0;
  record.peak_memory_bytes.reset();
  CHECK(document["regularise"] == "none");
  CHECK(document["regularisation"] == "none");
  record.regularise = "auto";
  record.regularisation = "neighbours:1:2";
  CHECK(json::parse(mapping_json(record))["regularise"] == "auto");
  CHECK(json::parse(mapping_json(record))["regularisation"] == "neighbours:1:2");
  record.layers = {
      {"probabilities", std::nullopt}, {"confidence", "c.tif"}, {"decision values", "d.tif"}, {"novelty", "n.tif"}};
  record.segments = "s.tif";
  record.segments_out = "s.gpkg";
  record.segment_count = 12;
  record.rejected = 80;
  const json empty = json::parse(mapping_json(record));
  CHECK(empty["classes"][0]["share"].is_null());
  CHECK(empty["peak_memory_mb"].is_null());
  CHECK(empty["confidence"] == "c.tif");
  CHECK(empty["decision_values"] == "d.tif");
  CHECK(empty["novelty"] == "n.tif");
  CHECK(document["resampled"].is_null());
  record.resampled = {"scene.tif", 224, 190, 177, 12, 3.5};
  CHECK(json::parse(mapping_json(record))["resampled"] == json{{"scene", "scene.tif"},
                                                               {"scene_bands", 224},
                                                               {"used_bands", 190},
                                                               {"bands", 177},
                                                               {"narrower", 12},
                                                               {"largest_distance", 3.5}});
  CHECK(empty["segments"] == "s.tif");
  CHECK(empty["segments_out"] == "s.gpkg");
  CHECK(empty["segment_count"] == 12);
  CHECK(empty["rejected"] == 80);
}

TEST_CASE("info: scenes and models") {
  SceneRecord record;
  record.path = "scene.hdr";
  record.driver = "ENVI";
  record.width = 83;
  record.height = 86;
  record.bands = {{"b1", 400.0}, {"", std::nullopt}};
  record.bands[0].fwhm = 5.5;
  const json scene = json::parse(info_json(record));
  CHECK(scene["kind"] == "scene");
  CHECK(scene["bands"] == json::array({{{"band", 1},
                                        {"name", "b1"},
                                        {"wavelength", 400.0},
                                        {"bad", false},
                                        {"scale", 1.0},
                                        {"offset", 0.0},
                                        {"fwhm", 5.5}},
                                       {{"band", 2},
                                        {"name", ""},
                                        {"wavelength", nullptr},
                                        {"bad", false},
                                        {"scale", 1.0},
                                        {"offset", 0.0},
                                        {"fwhm", nullptr}}}));
  CHECK(scene["geotransform"].is_null());
  CHECK(scene["crs"].is_null());
  CHECK(scene["nodata"].is_null());
  record.nodata = -9999;
  record.geotransform = {{1, 2, 0, 4, 0, -2}};
  record.crs = "PROJCS[\"x\"]";
  CHECK(json::parse(info_json(record))["geotransform"] == json({1, 2, 0, 4, 0, -2}));
  CHECK(json::parse(info_json(record))["nodata"] == -9999);
  CHECK(json::parse(info_json(record))["crs"] == "PROJCS[\"x\"]");
  CHECK(scene["product"].is_null());
  CHECK(scene["quantity"].is_null());
  CHECK(scene["geometry"].is_null());
  CHECK(scene["quality"] == json::array());
  CHECK(scene["control_points"] == 0);
  record.product = "EnMAP L2A";
  record.quantity = "reflectance";
  record.geometry = {20, 30};
  record.quality = {{"cloud", "over land", true}};
  const json product = json::parse(info_json(record));
  CHECK(product["product"] == "EnMAP L2A");
  CHECK(product["quantity"] == "reflectance");
  CHECK(product["geometry"] == json({{"width", 20}, {"height", 30}}));
  CHECK(product["quality"] == json::array({{{"name", "cloud"}, {"meaning", "over land"}, {"left_out", true}}}));

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

TEST_CASE("simulate: what was made") {
  SimulationRecord record;
  record.spec = "spec.json";
  record.files = {"a.img", "a.hdr"};
  record.width = 10;
  record.classes = {{1, "a", 60}};
  const json document = json::parse(simulation_json(record));
  CHECK(document["files"] == json({"a.img", "a.hdr"}));
  CHECK(document["width"] == 10);
  CHECK(document["classes"] == json::array({{{"name", "a"}, {"pixels", 60}, {"code", 1}}}));
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

TEST_CASE("report: the page") { CHECK(json::parse(report_json("page.html")) == json{{"report", "page.html"}}); }
