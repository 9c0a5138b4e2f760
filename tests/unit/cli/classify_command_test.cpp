#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>

#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/gdal/scene.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

Outcome classify(const std::string& map, const std::vector<std::string>& options) {
  const SmallScene& small = SmallScene::instance();
  std::vector<std::string> arguments = {"classify", small.scene(), small.model(), map};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

std::vector<std::uint16_t> codes_of(const std::string& path) {
  const auto map = open_class_map(path);
  std::vector<std::uint16_t> codes;
  map->read({0, 0, map->grid().width, map->grid().height}, codes);
  return codes;
}

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

}  // namespace

TEST_CASE("map, probabilities and confidence agree") {
  const TemporaryFolder folder;
  const Outcome outcome =
      classify(folder.file("map.tif"), {"--probabilities", folder.file("p.tif"), "--confidence", folder.file("c.tif")});
  REQUIRE(outcome.code == 0);
  const std::vector<std::uint16_t> codes = codes_of(folder.file("map.tif"));
  const Spectra probabilities = values_of(folder.file("p.tif"));
  const Spectra confidence = values_of(folder.file("c.tif"));
  REQUIRE(probabilities.rows() == static_cast<Index>(codes.size()));
  REQUIRE(probabilities.cols() == 2);
  for (Index i = 0; i < probabilities.rows(); ++i) {
    Index label = 0;
    const float largest = probabilities.row(i).maxCoeff(&label);
    REQUIRE(codes[static_cast<std::size_t>(i)] == label + 1);
    REQUIRE(confidence(i, 0) == largest);
    REQUIRE(std::abs(probabilities.row(i).sum() - 1) < 1e-5F);
  }
  CHECK(open_scene(folder.file("p.tif")).source->bands()[1].name == "water");
  CHECK(open_class_map(folder.file("map.tif"))->has_names());
}

TEST_CASE("decision values order the classes as probabilities do, and what is rejected is counted") {
  const TemporaryFolder folder;
  const Outcome outcome = classify(folder.file("map.tif"), {"--decision-values", folder.file("d.tif"), "--novelty",
                                                            folder.file("n.tif"), "--reject-novelty", "0.9", "--json"});
  REQUIRE(outcome.code == 0);
  const std::vector<std::uint16_t> all = codes_of(SmallScene::instance().map());
  const std::vector<std::uint16_t> codes = codes_of(folder.file("map.tif"));
  const Spectra decisions = values_of(folder.file("d.tif"));
  const Spectra novelty = values_of(folder.file("n.tif"));
  std::int64_t rejected = 0;
  for (Index i = 0; i < decisions.rows(); ++i) {
    Index label = 0;
    decisions.row(i).maxCoeff(&label);
    REQUIRE(all[static_cast<std::size_t>(i)] == label + 1);
    const bool out = novelty(i, 0) > 0.9F;
    REQUIRE(codes[static_cast<std::size_t>(i)] == (out ? 0 : label + 1));
    rejected += out ? 1 : 0;
  }
  CHECK(rejected > 0);
  CHECK(nlohmann::json::parse(outcome.out).at("rejected") == rejected);
  CHECK(open_scene(folder.file("d.tif")).source->bands()[1].name == "water");
  CHECK(open_scene(folder.file("n.tif")).source->bands()[0].name == "novelty");
}

TEST_CASE("a map of which everything is rejected comes with a warning") {
  const TemporaryFolder folder;
  const Outcome outcome = classify(folder.file("map.tif"), {"--reject", "1"});
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.err, "every pixel of " + SmallScene::instance().scene() + " was rejected; the map is empty"));
}

TEST_CASE("format and creation options reach GDAL, memory and threads change nothing") {
  const TemporaryFolder folder;
  REQUIRE(classify(folder.file("map.img"), {"--ram", "64", "--threads", "1"}).code == 0);
  CHECK(std::filesystem::exists(folder.file("map.hdr")));
  CHECK(codes_of(folder.file("map.img")) == codes_of(SmallScene::instance().map()));
  REQUIRE(classify(folder.file("other"), {"--of", "GTiff", "--co", "COMPRESS=NONE", "--co", "TILED=NO"}).code == 0);
  CHECK(open_scene(folder.file("other")).description.driver == "GTiff");
  CHECK(codes_of(folder.file("other")) == codes_of(folder.file("map.img")));
}

TEST_CASE("what cannot be classified is refused with a sentence, a code and no file") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string map = folder.file("map.tif");
  struct Case {
    Outcome outcome;
    int code;
    std::string part;
  };
  const std::vector<Case> cases = {
      {run({"classify", small.reference(), small.model(), map}), 3, "12 bands"},
      {run({"classify", small.scene(), small.scene(), map}), 3, "scene.tif"},
      {run({"classify", small.scene(), folder.file("none"), map}), 3, "none"},
      {run({"classify", folder.file("none.tif"), small.model(), map}), 3, "none.tif"},
      {classify(folder.file("no/map.tif"), {}), 2, "no"},
      {classify(small.map(), {}), 2, "--overwrite"},
      {classify(small.scene(), {"--overwrite"}), 2, "same file as SCENE"},
      {classify(small.model(), {"--overwrite", "--of", "GTiff"}), 2, "same file as MODEL"},
      {classify(map, {"--confidence", map}), 2, "same file as MAP"},
      {classify(map, {"--of", "NoSuchFormat"}), 2, "NoSuchFormat"},
      {classify(map, {"--co", "COMPRESS"}), 2, "COMPRESS"},
      {classify(map, {"--confidence", folder.file("no/c.tif")}), 2, "no"},
      {classify(map, {"--ram", "1"}), 2, "--ram"},
      {classify(map, {"--reject", "2"}), 2, "--reject: '2' is not a number above 0 and at most 1"},
      {classify(map, {"--novelty", folder.file("no/n.tif")}), 2, "no"},
      {classify(map, {"--novelty", folder.file("n.tif"), "--decision-values", folder.file("n.tif")}), 2,
       "same file as --decision-values"},
      {classify(map, {"--regularise", "majority"}), 2, "neighbours:SIGMA"},
  };
  for (const Case& example : cases) {
    CAPTURE(example.outcome.err);
    CHECK(example.outcome.code == example.code);
    CHECK(contains(example.outcome.err, example.part));
    CHECK(example.outcome.out.empty());
  }
  CHECK(folder.names().empty());
}

TEST_CASE("the record counts every pixel") {
  const TemporaryFolder folder;
  const Outcome outcome = classify(folder.file("map.tif"), {"--json"});
  REQUIRE(outcome.code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  std::int64_t pixels = 0;
  for (const auto& entry : json.at("classes")) {
    pixels += entry.at("pixels").get<std::int64_t>();
  }
  CHECK(pixels == 30 * 24);
  CHECK(json.at("map") == folder.file("map.tif"));
}

TEST_CASE("a regularised map, its probabilities and what auto chose") {
  const TemporaryFolder folder;
  const Outcome chosen =
      classify(folder.file("auto.tif"), {"--regularise", "auto", "--probabilities", folder.file("p.tif"), "--json"});
  REQUIRE(chosen.code == 0);
  const auto json = nlohmann::json::parse(chosen.out);
  CHECK(json.at("regularise") == "auto");
  const std::string rule = json.at("regularisation");
  CHECK(rule.starts_with("neighbours:"));
  CHECK(json.at("stages").contains("choose"));

  const Outcome repeated = classify(folder.file("again.tif"), {"--regularise", rule, "--threads", "1", "--ram", "64"});
  REQUIRE(repeated.code == 0);
  CHECK(contains(repeated.out, "Regularised: " + rule + "\n"));
  const std::vector<std::uint16_t> codes = codes_of(folder.file("auto.tif"));
  CHECK(codes_of(folder.file("again.tif")) == codes);
  const Spectra probabilities = values_of(folder.file("p.tif"));
  for (Index i = 0; i < probabilities.rows(); ++i) {
    Index label = 0;
    probabilities.row(i).maxCoeff(&label);
    REQUIRE(codes[static_cast<std::size_t>(i)] == label + 1);
    REQUIRE(std::abs(probabilities.row(i).sum() - 1) < 1e-5F);
  }
}

}  // namespace parsimap::test
