#include "parsimap/report/info_report.hpp"

#include <doctest/doctest.h>

#include "parsimap/report/training_report.hpp"

#include "unit/classifier/small_model.hpp"

using namespace parsimap;

TEST_CASE("a scene with all that is known of it") {
  SceneRecord record;
  record.path = "scene.tif";
  record.driver = "GTiff";
  record.data_type = "Int16";
  record.files = {"scene.tif", "scene.tif.aux.xml"};
  record.bytes = 1234;
  record.nodata = -9999;
  record.width = 83;
  record.height = 86;
  record.bands = {{"a", 2500.0}, {"b", std::nullopt}, {"c", 400.5}};
  record.geotransform = {{500000.5, 3, 4, 4e6, 4, -3}};
  record.crs = "PROJCS[\"WGS 84 / UTM zone 31N\",GEOGCS[\"WGS 84\"]]";
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
  record.product = "EnMAP L2A";
  record.quantity = "reflectance";
  record.bands = {{"a", 500.0}, {"b", 510.0}, {"c", 520.0}};
  record.bands[0].fwhm = 6.5;
  record.bands[1].fwhm = 5;
  record.control_points = 12;
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
  record.nodata_differs = true;
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
  record.misfit_bad_band_entries = 3;
  CHECK(scene_text(record).find("Bad bands:      the list has 3 entries for 5 bands and is not used\n") !=
        std::string::npos);
}

TEST_CASE("a model: kernel, bands, origin and machines") {
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
                       "\n"
                       "  code  class\n"
                       "     3  Brocoli\n"
                       "     7  Forêt \"dense\"\n"
                       "\n"));
  CHECK(text.ends_with("\n\n" + classes_text(small_model())));
  CHECK(text.find("Profiles") == std::string::npos);
  CHECK(model_text(small_profiled_model(), "m.model").find("Profiles:       2 components") != std::string::npos);
  CHECK(model_text(small_model(), "m.model", true)
            .ends_with(classes_text(small_model()) + "\n" + machines_text(small_model())));
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
