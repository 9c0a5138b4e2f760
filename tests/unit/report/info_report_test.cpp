#include "parsimap/report/info_report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "parsimap/report/run_record.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/training_report.hpp"

#include "support/toy_library.hpp"
#include "unit/classifier/small_model.hpp"

namespace parsimap::test {

TEST_CASE("a scene with all that is known of it") {
  SceneRecord record;
  record.path = "scene.tif";
  record.description.driver = "GTiff";
  record.description.data_type = "Int16";
  record.description.files = {"scene.tif", "scene.tif.aux.xml"};
  record.description.bytes = 1234;
  record.description.nodata = -9999;
  record.grid.width = 83;
  record.grid.height = 86;
  record.bands = {{"a", 2500.0}, {"b", std::nullopt}, {"c", 400.5}};
  record.grid.geotransform = {{500000.5, 3, 4, 4e6, 4, -3}};
  record.grid.crs = "PROJCS[\"WGS 84 / UTM zone 31N\",GEOGCS[\"WGS 84\"]]";
  CHECK(scene_text(record) ==
        "Scene:          scene.tif\n"
        "Format:         GTiff, Int16, 1234 bytes\n"
        "Size:           83 x 86 pixels, 3 bands\n"
        "Wavelengths:    400.5 .. 2500 nm (known for 2 bands)\n"
        "Bad bands:      none\n"
        "Scale:          none\n"
        "Nodata:         -9999\n"
        "CRS:            WGS 84 / UTM zone 31N\n"
        "Upper left:     500000.5, 4000000\n"
        "Pixel:          5 x 5\n"
        "File:           scene.tif\n"
        "File:           scene.tif.aux.xml\n");
}

TEST_CASE("what was understood of a product") {
  SceneRecord record;
  record.description.product = "EnMAP L2A";
  record.description.quantity = "reflectance";
  record.bands = {{"a", 500.0}, {"b", 510.0}, {"c", 520.0}};
  record.bands[0].fwhm = 6.5;
  record.bands[1].fwhm = 5;
  record.grid.control_points.resize(12);
  record.quality = {{"cloud", "over land", true}, {"snow", "any", false}};
  record.geometry = {20, 30};
  const std::string text = scene_text(record);
  for (const std::string line :
       {"Product:        EnMAP L2A, reflectance\n", "Widths (FWHM):  5 .. 6.5 nm (known for 2 bands)\n",
        "Control points: 12\n", "Geometry:       table that places the pixels on a map of 20 x 30 pixels\n",
        "Quality:        cloud: over land (left out unless --quality says otherwise)\nQuality:        snow: any\n"}) {
    CAPTURE(line);
    CHECK(text.find(line) != std::string::npos);
  }
}

TEST_CASE("a scene of which little is known") {
  SceneRecord record;
  record.bands = {{"", std::nullopt}};
  const std::string text = scene_text(record);
  CHECK(text.find("Wavelengths:    unknown\nBad bands:      none\nScale:          none\nNodata:         none\nCRS:     "
                  "       none\n") != std::string::npos);
  CHECK(text.find("size unknown") != std::string::npos);
  CHECK(text.find("Upper left") == std::string::npos);
  record.description.nodata_differs = true;
  CHECK(scene_text(record).find("Nodata:         differs by band\n") != std::string::npos);
}

TEST_CASE("a scene's bad bands and scale") {
  SceneRecord record;
  record.bands = BandTable(5, Band{.scale = 1e-4, .offset = -0.1});
  for (const std::size_t bad : {0, 2, 3}) {
    record.bands[bad].bad = true;
  }
  CHECK(scene_text(record).find("Bad bands:      1, 3-4\nScale:          stored x 0.0001 + -0.1\n") !=
        std::string::npos);
  record.bands[4].scale = 1;
  CHECK(scene_text(record).find("Scale:          differs by band\n") != std::string::npos);
  record.description.misfit_bad_band_entries = 3;
  CHECK(scene_text(record).find("Bad bands:      the list has 3 entries for 5 bands and is not used\n") !=
        std::string::npos);
}

TEST_CASE("a model: kernel, bands, origin and classifiers") {
  const std::string text = model_text(small_model(), "m.model");
  CHECK(
      text.starts_with("Model:          m.model\n"
                       "Made by:        parsimap 0.1.0, seed 18446744073709551615\n"
                       "Kernel:         hdda (class metric)\n"
                       "Bands:          3 used of 5\n"
                       "Dropped:        2 (marked as bad)\n"
                       "Dropped:        4 (no data)\n"
                       "Wavelengths:    1e-310 .. 450.5 nm (known for 2 bands)\n"
                       "Scale:          differs by band\n"
                       "Scaling:        standardise\n"
                       "Support:        4 spectra, shared by the classes\n"
                       "Input:          scene.hdr (123456789012 bytes)\n"
                       "Input:          labels.gpkg (size unknown)\n"
                       "Option:         kernel = hdda\n"
                       "Option:         dimension = scree:0.01\n"
                       "\n"));
  CHECK(text.ends_with("\n\n" + classes_text(small_model())));
  CHECK(text.find("Profiles") == std::string::npos);
  Model compressed = small_model();
  compressed.scaling.units = Vector::Ones(3);
  CHECK(model_text(compressed, "m.model").find("Scaling:        standardise, bands compressed\n") != std::string::npos);
  CHECK(model_text(small_profiled_model(), "m.model").find("Profiles:       2 components") != std::string::npos);
  CHECK(model_text(small_model(), "m.model", true)
            .ends_with(classes_text(small_model()) + "\n" + classifiers_text(small_model())));
}

TEST_CASE("a simulation: its classes and files") {
  SimulationRecord record;
  record.spec = "spec.json";
  record.files = {"out/a.img"};
  record.width = 20;
  record.height = 10;
  record.bands = 5;
  record.seed = 7;
  record.classes = {{1, "a", 120}, {2, "b", 80}};
  record.seconds = 0.25;
  CHECK(simulation_text(record) ==
        "Simulated 20 x 10 pixels, 5 bands, seed 7 from spec.json.\n"
        "\n"
        "  code  class  reference pixels\n"
        "     1  a                   120\n"
        "     2  b                    80\n"
        "\n"
        "Time: 0.25 s\n"
        "File: out/a.img\n");
}

TEST_CASE("a library as text tells sizes, wavelengths, attributes and names") {
  const std::string text = library_text(toy::library());
  for (const char* part : {"toy.sli", "Spectra:        3\n", "Values:         1 .. 5, 1 missing\n",
                           "Wavelengths:    450 .. 550 nm\n", "FWHM:           10 .. 10 nm (known for 1 bands)\n",
                           "Bad bands:      2\n", "  class: soil (1), tree (2)\n", "  note: empty\n", "  beech\n"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

TEST_CASE("long lists are cut unless all is asked for") {
  SpectralLibrary library = toy::library();
  library.origin = BandOrigin{3, {0, 1}, {{2, "constant"}}};
  for (int i = 0; i < 20; ++i) {
    SpectralLibrary more = toy::library();
    more.values[0][0] = "class " + std::to_string(i);
    append(library, more);
  }
  const std::string text = library_text(library);
  CHECK(text.find("and 10 more") != std::string::npos);
  CHECK(text.find("  and 53 more\n") != std::string::npos);
  CHECK(text.find("a training on 2 of 3 bands of a scene") != std::string::npos);
  CHECK(library_text(library, true).find(" more") == std::string::npos);
}

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
  CHECK(text.find("1  500000.5  40.25  oak        pine") != std::string::npos);
  CHECK(text.find("0.75") != std::string::npos);
  CHECK(text.find("0.125\n") != std::string::npos);
  CHECK(text.find("2         1      2  pine       oak") != std::string::npos);
  CHECK(text.find("Places: places.gpkg\n") != std::string::npos);
  record.places[0].position = {13.50025133, -52.49925};
  CHECK(label_places_text(record).find("1  13.5002513  -52.49925  oak") != std::string::npos);
}

using nlohmann::json;

TEST_CASE("info: scenes") {
  SceneRecord record;
  record.path = "scene.hdr";
  record.description.driver = "ENVI";
  record.grid.width = 83;
  record.grid.height = 86;
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
  record.description.nodata = -9999;
  record.grid.geotransform = {{1, 2, 0, 4, 0, -2}};
  record.grid.crs = "PROJCS[\"x\"]";
  CHECK(json::parse(info_json(record))["geotransform"] == json({1, 2, 0, 4, 0, -2}));
  CHECK(json::parse(info_json(record))["nodata"] == -9999);
  CHECK(json::parse(info_json(record))["crs"] == "PROJCS[\"x\"]");
  CHECK(scene["product"].is_null());
  CHECK(scene["quantity"].is_null());
  CHECK(scene["geometry"].is_null());
  CHECK(scene["quality"] == json::array());
  CHECK(scene["control_points"] == 0);
  record.description.product = "EnMAP L2A";
  record.description.quantity = "reflectance";
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

TEST_CASE("a library as JSON has its bands, names and the values of its attributes") {
  const auto document = nlohmann::json::parse(info_json(toy::library()));
  CHECK(document.at("kind") == "library");
  CHECK(document.at("spectra") == 3);
  CHECK(document.at("names").at(1) == "beech");
  CHECK(document.at("missing_values") == 1);
  CHECK(document.at("quantity").is_null());
  CHECK(document.at("scene_bands").is_null());
  CHECK(document.at("bands").at(1).at("wavelength") == 550);
  CHECK(document.at("bands").at(1).at("bad") == true);
  CHECK(document.at("attributes").at(0).at("values").at(1) == nlohmann::json{{"value", "tree"}, {"spectra", 2}});
}

}  // namespace parsimap::test
