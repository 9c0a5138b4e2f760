#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/gdal/labels.hpp"
#include "parsimap/io/gdal/scene.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

Spectra values_of(const std::string& path) {
  const auto scene = open_scene(path).source;
  Indices bands;
  for (std::size_t i = 0; i < scene->bands().size(); ++i) {
    bands.push_back(static_cast<Index>(i));
  }
  Spectra values;
  scene->read({0, 0, scene->grid().width, scene->grid().height}, bands, values);
  return values;
}

std::vector<std::uint16_t> codes_of(const std::string& path) {
  const auto map = open_class_map(path);
  std::vector<std::uint16_t> codes;
  map->read({0, 0, map->grid().width, map->grid().height}, codes);
  return codes;
}

bool same_labels(const std::string& first, const std::string& second, const std::string& scene_path,
                 const std::string& split) {
  const auto scene = open_scene(scene_path).source;
  const LabelOptions options = {"class", "split='" + split + "'"};
  const LabelledPixels a = read_labels(first, options, scene->grid(), scene->name());
  const LabelledPixels b = read_labels(second, options, scene->grid(), scene->name());
  return a.classes == b.classes && !a.pixels.empty() &&
         std::equal(a.pixels.begin(), a.pixels.end(), b.pixels.begin(), b.pixels.end(),
                    [](const LabelledPixel& x, const LabelledPixel& y) {
                      return x.pixel == y.pixel && x.label == y.label && x.region == y.region;
                    });
}

}  // namespace

TEST_CASE("sample_data is what its specification gives") {
  const std::string sample = std::string(PARSIMAP_SOURCE_DIR) + "/sample_data/";
  const TemporaryFolder folder;
  const Outcome outcome = run({"simulate", sample + "spec.json", folder.file("made")});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const std::string made = folder.file("made/");
  CHECK(values_of(made + "scene.img") == values_of(sample + "scene.img"));
  CHECK(values_of(made + "scene.tif") == values_of(sample + "scene.img"));
  CHECK(values_of(sample + "scene.tif") == values_of(sample + "scene.img"));
  CHECK(open_scene(made + "scene.img").source->bands() == open_scene(sample + "scene.img").source->bands());
  CHECK(open_scene(made + "scene.tif").source->grid().crs == open_scene(sample + "scene.tif").source->grid().crs);
  CHECK(codes_of(made + "reference.tif") == codes_of(sample + "reference.tif"));
  CHECK(open_class_map(made + "reference.tif")->classes() == open_class_map(sample + "reference.tif")->classes());
  CHECK(same_labels(made + "training.gpkg", sample + "training.gpkg", sample + "scene.tif", "train"));
  CHECK(same_labels(made + "training.gpkg", sample + "training.gpkg", sample + "scene.tif", "test"));
  for (const std::string name : {"spec.json", "reference.qml", "reference.tif.aux.xml"}) {
    CAPTURE(name);
    CHECK(file_content(made + name) == file_content(sample + name));
  }
}

TEST_CASE("equal specifications give equal files") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  REQUIRE(run({"simulate", small.file("spec.json"), folder.file("a")}).code == 0);
  for (const std::string name : {"scene.img", "scene.tif", "reference.tif", "training.gpkg", "spec.json"}) {
    CAPTURE(name);
    CHECK(file_content(folder.file("a/" + name)) == file_content(small.file("scene/" + name)));
  }
}

TEST_CASE("a specification may lie in the folder it fills, and outputs are replaced only when asked to") {
  const TemporaryFolder folder;
  write_file(folder.file("spec.json"), kSmallSpec);
  REQUIRE(run({"simulate", folder.file("spec.json"), folder.file("")}).code == 0);
  CHECK(file_content(folder.file("spec.json")) == kSmallSpec);
  const Outcome again = run({"simulate", folder.file("spec.json"), folder.file("")});
  CHECK(again.code == 2);
  CHECK(contains(again.err, "--overwrite"));
  CHECK(run({"simulate", folder.file("spec.json"), folder.file(""), "--overwrite"}).code == 0);
}

TEST_CASE("what cannot be simulated is refused and leaves no folder behind") {
  const TemporaryFolder folder;
  auto refusal = [&](const std::string& spec, const std::string& output) {
    write_file(folder.file("spec.json"), spec);
    return run({"simulate", folder.file("spec.json"), folder.file(output)});
  };
  const Outcome wrong = refusal(R"({"width": 30, "height": 24, "bands": 12, "classes": [{"name": "a"}]})", "out");
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "/classes"));
  std::string unknown_crs = kSmallSpec;
  unknown_crs.replace(unknown_crs.find("\"seed\""), 6, "\"epsg\": 999999, \"seed\"");
  const Outcome crs = refusal(unknown_crs, "out");
  CHECK(crs.code == 2);
  CHECK(contains(crs.err, "/epsg: 999999 is not the EPSG code"));
  const Outcome parent = refusal(kSmallSpec, "no/out");
  CHECK(parent.code == 2);
  CHECK(contains(parent.err, "no/out"));
  CHECK(folder.names() == std::vector<std::string>{"spec.json"});
}

}  // namespace parsimap::test
