
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/report/info_report.hpp"

#include "support/toy_library.hpp"

using namespace parsimap;
using nlohmann::json;

TEST_CASE("info: scenes") {
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
  CHECK(place["predicted"] == "oak");
  CHECK(place["second_class"] == "pine");
  CHECK(place["probability"] == 0.5);
  CHECK(place["second_probability"] == 0.25);
  CHECK(place["uncertainty"] == 0.75);
  CHECK(place["novelty"] == 0.125);
}

namespace parsimap::test {

TEST_CASE("a library as JSON has its bands, names and the values of its attributes") {
  const auto json = nlohmann::json::parse(info_json(toy::library()));
  CHECK(json.at("kind") == "library");
  CHECK(json.at("spectra") == 3);
  CHECK(json.at("names").at(1) == "beech");
  CHECK(json.at("missing_values") == 1);
  CHECK(json.at("quantity").is_null());
  CHECK(json.at("scene_bands").is_null());
  CHECK(json.at("bands").at(1).at("wavelength") == 550);
  CHECK(json.at("bands").at(1).at("bad") == true);
  CHECK(json.at("attributes").at(0).at("values").at(1) == nlohmann::json{{"value", "tree"}, {"spectra", 2}});
}

}  // namespace parsimap::test
