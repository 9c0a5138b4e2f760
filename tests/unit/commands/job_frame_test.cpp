// `train --dry-run` and `classify --dry-run`, against what the same commands do without it.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"

#include "support/small_scene.hpp"
#include "unit/cli/program_runner.hpp"

namespace parsimap::test {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words training(const std::string& model) {
  const SmallScene& small = SmallScene::instance();
  return {"train", small.scene(), small.polygons(), model, "--class-field", "class", "--spatial", "none"};
}

Words mapping(const std::string& map) {
  const SmallScene& small = SmallScene::instance();
  return {"classify", small.scene(), small.model(), map};
}

// The files below a folder with their content.
std::map<std::string, std::string> contents(const std::string& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    found[entry.path().string()] = entry.is_regular_file() ? file_content(entry.path().string()) : "";
  }
  return found;
}

nlohmann::json dry(const Words& words) {
  const Outcome outcome = run(with(words, {"--dry-run", "--json"}));
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return nlohmann::json::parse(outcome.out);
}

std::set<std::string> files_of(const nlohmann::json& list) {
  std::set<std::string> files;
  for (const auto& one : list) {
    files.insert(one["file"].get<std::string>());
  }
  return files;
}

// Side files of rasters go with the files that are listed.
std::set<std::string> main_files(const std::string& folder) {
  std::set<std::string> files;
  for (const auto& [path, content] : contents(folder)) {
    if (!path.ends_with(".aux.xml") && !path.ends_with(".qml")) {
      files.insert(path);
    }
  }
  return files;
}

// Without the path of a staged output in what GDAL says.
std::string sentence(const std::string& text) { return text.substr(0, text.find("_TIFFVSetField:")); }

}  // namespace

TEST_CASE("a dry run writes nothing, and lists the files that the command then writes") {
  const TemporaryFolder folder;
  const std::string& here = fs::path(folder.file("x")).parent_path().string();
  const std::vector<Words> calls = {
      with(training(folder.file("model")),
           {"--report", folder.file("train.html"), "--samples-out", folder.file("samples.gpkg"), "--test-share", "0.5",
            "--test-out", folder.file("test.gpkg")}),
      with(mapping(folder.file("map.tif")),
           {"--confidence", folder.file("c.tif"), "--novelty", folder.file("n.img"), "--report",
            folder.file("map.html"), "--stac", folder.file("map.json"), "--polygonise", folder.file("areas.gpkg")}),
      with(mapping(folder.file("cf.nc")), {"--co", "FORMAT=NC"}),
      with(mapping(folder.file("region.tif")), {"--of", "COG", "--region", "500003,3999980,500020,3999995"})};
  for (const Words& words : calls) {
    CAPTURE(words[3]);
    const auto before = contents(here);
    const nlohmann::json found = dry(words);
    CHECK(contents(here) == before);
    const std::set<std::string> earlier = main_files(here);
    const Outcome real = run(words);
    CAPTURE(real.err);
    REQUIRE(real.code == 0);
    std::set<std::string> written;
    std::ranges::set_difference(main_files(here), earlier, std::inserter(written, written.end()));
    written.erase(folder.file("n.hdr"));
    CHECK(files_of(found["outputs"]) == written);
    CHECK(files_of(found["inputs"]).contains(SmallScene::instance().scene()));
    CHECK(found["seconds"] > 0);
    CHECK(found["memory_mb"] > 1);
  }
}

TEST_CASE("a dry run says sizes and counts that the command confirms") {
  const TemporaryFolder folder;
  const nlohmann::json map = dry(with(mapping(folder.file("map.tif")), {"--probabilities", folder.file("p.tif")}));
  CHECK(map["pixels"] == 30 * 24);
  CHECK(map["bands"] == 12);
  CHECK(map["outputs"][0]["bytes"] == 30 * 24);
  CHECK(map["outputs"][1]["bytes"] == 30 * 24 * 2 * 4);
  CHECK(map["windows"].get<Index>() * map["window_pixels"].get<Index>() >= 30 * 24);
  CHECK(map["inputs"][0]["bytes"] == fs::file_size(SmallScene::instance().scene()));
  // Every polygon pixel has values in all bands.
  for (const std::string rule : {"all", "constant:7", "percent:50"}) {
    CAPTURE(rule);
    const Words words = with(training(folder.file("model")), {"--sampling", rule, "--overwrite"});
    const nlohmann::json planned = dry(words);
    const Outcome real = run(with(words, {"--json"}));
    REQUIRE(real.code == 0);
    const nlohmann::json trained = nlohmann::json::parse(real.out);
    REQUIRE(planned["classes"].size() == 2);
    std::int64_t sum = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      CHECK(planned["classes"][c]["name"] == trained["classes"][c]["name"]);
      CHECK(planned["classes"][c]["pixels"] == trained["classes"][c]["samples"]);
      sum += planned["classes"][c]["pixels"].get<std::int64_t>();
    }
    CHECK(planned["pixels"] == sum);
  }
}

TEST_CASE("a dry run refuses what the command refuses, in the same words") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  write_file(folder.file("there.tif"), "x");
  write_file(folder.file("noise"), "noise");
  const std::string map = folder.file("map.tif");
  const std::string model = folder.file("model");
  const std::vector<Words> calls = {
      mapping(folder.file("there.tif")),
      mapping(folder.file("no/map.tif")),
      mapping(small.scene()),
      mapping(folder.file("map.unknown")),
      with(mapping(map), {"--confidence", map}),
      with(mapping(folder.file("map.png")), {"--novelty", folder.file("n.png")}),
      with(mapping(map), {"--co", "COMPRESS=NOTHING"}),
      with(mapping(map), {"--co", "BLOCKXSIZE=17", "--co", "TILED=YES"}),
      with(mapping(map), {"--segments", folder.file("none.tif")}),
      with(mapping(map), {"--region", "0,0,1,1"}),
      with(mapping(map), {"--deciding", folder.file("d.tif"), "--mask", folder.file("none.tif")}),
      {"classify", small.scene(), folder.file("noise"), map},
      {"classify", folder.file("none.tif"), small.model(), map},
      training(folder.file("model.tif")),
      training(folder.file("there.tif")),
      with(training(model), {"--samples-out", folder.file("no/samples.gpkg")}),
      with(training(model), {"--min-samples", "100000"}),
      with(training(model), {"--bands", "77"}),
      with(training(model), {"--ram", "64", "--classes", folder.file("none.csv")}),
      {"train", small.scene(), small.polygons(), model, "--class-field", "nothing"},
      {"train", small.scene(), folder.file("noise"), model}};
  const auto before = contents(fs::path(map).parent_path().string());
  for (const Words& words : calls) {
    const Outcome real = run(words);
    CAPTURE(real.err);
    CHECK(real.code != 0);
    const Outcome tried = run(with(words, {"--dry-run"}));
    CHECK(tried.code == real.code);
    CHECK(sentence(tried.err) == sentence(real.err));
    CHECK(tried.out.empty());
    CHECK(contents(fs::path(map).parent_path().string()) == before);
  }
}

TEST_CASE("a dry run replaces nothing") {
  const TemporaryFolder folder;
  const std::string model = folder.file("model");
  fs::copy_file(SmallScene::instance().model(), model);
  CHECK(dry(with(training(model), {"--overwrite"}))["outputs"][0]["file"] == model);
  CHECK(file_content(model) == file_content(SmallScene::instance().model()));
  CHECK(folder.names() == std::vector<std::string>{"model"});
}

TEST_CASE("a dry run looks at one map") {
  const TemporaryFolder folder;
  const SmallScene& small = SmallScene::instance();
  CHECK(run(with(mapping(folder.file("map.tif")), {"--dry-run", "--shard", "1/2"})).code == 2);
  const Outcome several =
      run({"classify", small.model(), "--scene", small.scene(), "--output-dir", folder.file("maps"), "--dry-run"});
  CHECK(several.code == 2);
  CHECK(several.err.find("--dry-run looks at one scene") != std::string::npos);
  CHECK(folder.names().empty());
}

}  // namespace parsimap::test
