#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "unit/cli/product_folder.hpp"
#include "unit/cli/program_runner.hpp"

namespace parsimap::test {

TEST_CASE("info tells what a scene is, in text and JSON") {
  const SmallScene& small = SmallScene::instance();
  const Outcome text = run({"info", small.scene()});
  CHECK(text.code == 0);
  CHECK(contains(text.out, "30 x 24 pixels, 12 bands"));
  CHECK(contains(text.out, "GTiff"));
  const Outcome document = run({"info", small.scene(), "--json"});
  REQUIRE(document.code == 0);
  CHECK(contains(document.out, "EPSG"));
}

TEST_CASE("info names an ENVI scene by its data file or by its header") {
  const SmallScene& small = SmallScene::instance();
  const Outcome data = run({"info", small.file("scene/scene.img")});
  const Outcome header = run({"info", small.file("scene/scene.hdr")});
  CHECK(data.code == 0);
  CHECK(header.code == 0);
  CHECK(contains(header.out, "ENVI"));
  CHECK(data.out.substr(data.out.find("Format:")) == header.out.substr(header.out.find("Format:")));
}

TEST_CASE("info tells the nodata value of a scene") {
  const SmallScene& small = SmallScene::instance();
  CHECK(contains(run({"info", small.scene()}).out, "Nodata:         none\n"));
  CHECK(nlohmann::json::parse(run({"info", small.scene(), "--json"}).out).at("nodata").is_null());
  CHECK(contains(run({"info", small.reference()}).out, "Nodata:         0\n"));
  CHECK(nlohmann::json::parse(run({"info", small.reference(), "--json"}).out).at("nodata") == 0);
}

TEST_CASE("info tells what was understood of a product, in text and JSON") {
  const ProductFolder files;
  const Outcome text = run({"info", files.product()});
  REQUIRE(text.code == 0);
  for (const std::string line :
       {"Product:        EnMAP L2A, reflectance\n", "Size:           30 x 24 pixels, 8 bands\n",
        "Wavelengths:    500 .. 570 nm\n", "Widths (FWHM):  5 .. 12 nm\n", "Scale:          stored x 0.0001 + 0\n",
        "Nodata:         -32768\n",
        "Quality:        cloud: QL_QUALITY_CLOUD (left out unless --quality says otherwise)\n",
        "Quality:        shadow: of clouds, QL_QUALITY_CLOUDSHADOW\n"}) {
    CAPTURE(line);
    CHECK(contains(text.out, line));
  }
  const auto document = nlohmann::json::parse(run({"info", files.metadata(), "--json"}).out);
  CHECK(document.at("product") == "EnMAP L2A");
  CHECK(document.at("quantity") == "reflectance");
  CHECK(document.at("quality").size() == 7);
  CHECK(document.at("quality")[0] ==
        nlohmann::json({{"name", "cloud"}, {"meaning", "QL_QUALITY_CLOUD"}, {"left_out", true}}));
  CHECK(document.at("quality")[1].at("left_out") == false);
  CHECK(document.at("geometry").is_null());
  CHECK(document.at("control_points") == 0);
  CHECK(document.at("files").size() == 8);
  CHECK(document.at("bands")[1].at("fwhm") == 6.0);
  CHECK(document.at("bands")[1].at("name") == "SWIR 2");
}

TEST_CASE("info tells what a model holds") {
  const SmallScene& small = SmallScene::instance();
  const Outcome text = run({"info", small.model()});
  CHECK(text.code == 0);
  CHECK(contains(text.out, "forest"));
  CHECK(contains(text.out, "hdda"));
  const auto json = nlohmann::json::parse(run({"info", small.model(), "--json"}).out);
  CHECK(json.is_object());
}

TEST_CASE("info refuses what is neither, and a damaged model") {
  const SmallScene& small = SmallScene::instance();
  CHECK(run({"info", small.file("spec.json")}).code == 3);
  const TemporaryFolder folder;
  const std::string model = file_content(small.model());
  write_file(folder.file("cut"), model.substr(0, model.size() - 1));
  const Outcome cut = run({"info", folder.file("cut")});
  CHECK(cut.code == 3);
  CHECK(contains(cut.err, "cut"));
}

TEST_CASE("info tells what a spectral library holds, in text and JSON") {
  const TemporaryFolder folder;
  write_file(folder.file("lib.csv"), "name,class,450,550\noak,tree,1,2\nsand,soil,3,4\n");
  const Outcome text = run({"info", folder.file("lib.csv")});
  CHECK(text.code == 0);
  CHECK(contains(text.out, "class: soil (1), tree (1)"));
  CHECK(contains(text.out, "450 .. 550 nm"));
  const auto json = nlohmann::json::parse(run({"info", folder.file("lib.csv"), "--json"}).out);
  CHECK(json.at("kind") == "library");
  CHECK(json.at("names") == nlohmann::json{"oak", "sand"});
  write_file(folder.file("cut.asd"), "as7");
  const Outcome cut = run({"info", folder.file("cut.asd")});
  CHECK(cut.code == 3);
  CHECK(contains(cut.err, "no file of an ASD spectrometer"));
}

}  // namespace parsimap::test
