#include "parsimap/commands/simulate.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "support/scene_values.hpp"
#include "support/small_scene.hpp"
#include "support/source_folder.hpp"
#include "unit/cli/program_runner.hpp"
#include "unit/commands/map_codes.hpp"

namespace parsimap::test {

namespace {

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

SimulationRecord simulate(const std::string& spec, const std::string& folder, bool overwrite = false) {
  Listener silent;
  SimulateOptions options{{}, spec, folder};
  options.overwrite = overwrite;
  return simulate_scene(options, silent);
}

}  // namespace

TEST_CASE("sample_data is what its specification gives") {
  const std::string sample = source_folder() + "/sample_data/";
  const TemporaryFolder folder;
  CHECK(simulate(sample + "spec.json", folder.file("made")).files.size() == 5);
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
  simulate(small.file("spec.json"), folder.file("a"));
  for (const std::string name : {"scene.img", "scene.tif", "reference.tif", "training.gpkg", "spec.json"}) {
    CAPTURE(name);
    CHECK(file_content(folder.file("a/" + name)) == file_content(small.file("scene/" + name)));
  }
}

TEST_CASE("a specification may lie in the folder it fills, and outputs are replaced only when asked to") {
  const TemporaryFolder folder;
  write_file(folder.file("spec.json"), kSmallSpec);
  simulate(folder.file("spec.json"), folder.file(""));
  CHECK(file_content(folder.file("spec.json")) == kSmallSpec);
  CHECK(contains(message_of([&] { simulate(folder.file("spec.json"), folder.file("")); }), "--overwrite"));
  CHECK_NOTHROW(simulate(folder.file("spec.json"), folder.file(""), true));
}

TEST_CASE("what cannot be simulated is refused and leaves no folder behind") {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& spec, const std::string& output) {
    write_file(folder.file("spec.json"), spec);
    try {
      simulate(folder.file("spec.json"), folder.file(output));
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(
      contains(refusal(R"({"width": 30, "height": 24, "bands": 12, "classes": [{"name": "a"}]})", "out"), "/classes"));
  std::string unknown_crs = kSmallSpec;
  unknown_crs.replace(unknown_crs.find("\"seed\""), 6, "\"epsg\": 999999, \"seed\"");
  CHECK(contains(refusal(unknown_crs, "out"), "/epsg: 999999 is not the EPSG code"));
  CHECK(contains(refusal(kSmallSpec, "no/out"), "no/out"));
  CHECK(folder.names() == std::vector<std::string>{"spec.json"});
}

TEST_CASE("simulate prints what it made, and takes --overwrite") {
  const TemporaryFolder folder;
  write_file(folder.file("spec.json"), kSmallSpec);
  const Outcome outcome = run({"simulate", folder.file("spec.json"), folder.file("out"), "--json"});
  REQUIRE(outcome.code == 0);
  CHECK(nlohmann::json::parse(outcome.out).at("files").size() == 5);
  CHECK(std::filesystem::exists(folder.file("out/training.gpkg")));
  const Outcome again = run({"simulate", folder.file("spec.json"), folder.file("out")});
  CHECK(again.code == 2);
  CHECK(contains(again.err, "--overwrite"));
  CHECK(contains(run({"simulate", folder.file("spec.json"), folder.file("out"), "--overwrite"}).out, "spec.json"));
}

}  // namespace parsimap::test
