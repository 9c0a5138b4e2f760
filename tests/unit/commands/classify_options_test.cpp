#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "parsimap/gdal/raster/scene.hpp"

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

Outcome classify(const std::string& map, const std::vector<std::string>& options) {
  const SmallScene& small = SmallScene::instance();
  std::vector<std::string> arguments = {"classify", small.scene(), small.model(), map};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

}  // namespace

TEST_CASE("every option reaches the map, and the record tells what was written") {
  const TemporaryFolder folder;
  write_file(folder.file("b.clr"), "2 7 8 9\n5 1 1 1 sand\n");
  std::vector<std::string> options = {"--of",
                                      "GTiff",
                                      "--co",
                                      "COMPRESS=NONE",
                                      "--probabilities",
                                      folder.file("p"),
                                      "--confidence",
                                      folder.file("c"),
                                      "--uncertainty",
                                      folder.file("u"),
                                      "--decision-values",
                                      folder.file("d"),
                                      "--novelty",
                                      folder.file("n"),
                                      "--report",
                                      folder.file("r.html"),
                                      "--reject",
                                      "0.6",
                                      "--reject-novelty",
                                      "1",
                                      "--regularise",
                                      "gaussian:1",
                                      "--colours",
                                      folder.file("b.clr"),
                                      "--ram",
                                      "64",
                                      "--threads",
                                      "1",
                                      "--json"};
  const Outcome unmasked = classify(folder.file("map"), options);
  CAPTURE(unmasked.err);
  REQUIRE(unmasked.code == 0);
  CHECK(contains(unmasked.err, "--colours names classes that do not exist: 'sand'"));
  const auto json = nlohmann::json::parse(unmasked.out);
  CHECK(json.at("map") == folder.file("map"));
  CHECK(json.at("probabilities") == folder.file("p"));
  CHECK(json.at("uncertainty") == folder.file("u"));
  CHECK(json.at("decision_values") == folder.file("d"));
  CHECK(json.at("regularisation") == "gaussian:1");
  for (const char* name : {"map", "p", "c", "u", "d", "n", "r.html"}) {
    CHECK(std::filesystem::exists(folder.file(name)));
  }
  CHECK(open_class_map(folder.file("map"))->classes().back().colour == Colour{7, 8, 9});
  const BandTable bands = open_scene(folder.file("u")).source->bands();
  REQUIRE(bands.size() == 2);
  CHECK(bands[0].name == "margin uncertainty");
  CHECK(bands[1].name == "entropy");
  options.insert(options.end(), {"--mask", folder.file("mask.asc"), "--overwrite"});
  const Outcome masked = classify(folder.file("map"), options);
  CHECK(masked.code == 3);
  CHECK(contains(masked.err, "mask.asc"));
}

TEST_CASE("limits that are no share are refused") {
  const TemporaryFolder folder;
  for (const std::string text : {"0", "-0.5", "1.01", "nan", "half", "0.5x", ""}) {
    const Outcome outcome = classify(folder.file("m.tif"), {"--reject", text});
    CHECK(outcome.code == 2);
    CHECK(contains(outcome.err, "--reject is '" + text + "'; it must be a number above 0 and at most 1"));
  }
}

TEST_CASE("a bad colour stops a command before it starts, with code 2 and no file") {
  const TemporaryFolder folder;
  const std::string colours = folder.file("a.clr");
  write_file(colours, "1 255 0 0\n2 blue\n");
  const Outcome outcome = classify(folder.file("a.tif"), {"--colours", colours});
  CHECK(outcome.code == 2);
  CHECK(contains(outcome.err, colours + ": line 2 is '2 blue'"));
  CHECK(folder.names() == std::vector<std::string>{"a.clr"});
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
      {classify(map, {"--reject", "2"}), 2, "--reject is '2'; it must be a number above 0 and at most 1"},
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

TEST_CASE("segments of a vector file come out with their classes") {
  const TemporaryFolder folder;
  write_file(folder.file("parcels.geojson"),
             R"({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {}, "geometry": )"
             R"({"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, -4], [0, -4], [0, 0]]]}}]})");
  const Outcome refused = classify(folder.file("map.tif"), {"--segments", folder.file("parcels.geojson")});
  CHECK(refused.code == 3);
  CHECK(contains(refused.err, "no feature owns a pixel"));
}

TEST_CASE("several scenes are classified with one command, and one that fails makes its code 1") {
  const TemporaryFolder folder;
  const SmallScene& small = SmallScene::instance();
  write_file(folder.file("list.csv"), "scene\n" + small.scene() + "\n");
  const Outcome listed = run({"classify", small.model(), "--scenes", folder.file("list.csv"), "--output-dir",
                              folder.file("maps"), "--mosaic", folder.file("all.tif")});
  CAPTURE(listed.err);
  REQUIRE(listed.code == 0);
  CHECK(contains(listed.out, "Classified 1 of 1 scenes"));
  CHECK(contains(listed.out, "Mosaic: " + folder.file("all.tif")));
  CHECK(std::filesystem::exists(folder.file("maps/scene_map.tif")));

  const Outcome failing = run({"classify", small.model(), "--scene", folder.file("absent.tif"), "--scene",
                               small.scene(), "--output-dir", folder.file("more"), "--json"});
  CHECK(failing.code == 1);
  CHECK(contains(failing.err, "1 of 2 scenes could not be classified"));
  const auto json = nlohmann::json::parse(failing.out);
  CHECK(contains(json.at("scenes").at(0).at("failure").get<std::string>(), "absent.tif"));
  CHECK(json.at("scenes").at(1).at("classified") == 30 * 24);
  CHECK(json.at("mosaic").is_null());
}

TEST_CASE("options of several scenes and arguments of one do not mix") {
  const TemporaryFolder folder;
  const SmallScene& small = SmallScene::instance();
  const Outcome both = classify(folder.file("map.tif"), {"--scene", small.scene()});
  CHECK(both.code == 2);
  CHECK(contains(both.err, "SCENE and MAP do not go with --scene"));
  const Outcome lone = classify(folder.file("map.tif"), {"--mosaic", folder.file("all.tif")});
  CHECK(lone.code == 2);
  CHECK(contains(lone.err, "--mosaic belongs to several scenes"));
  const Outcome surplus = run({"classify", "a", "b", "c", "d", "--scene", small.scene()});
  CHECK(contains(surplus.err, "one too many"));
  CHECK(contains(run({"classify", "--scene", small.scene()}).err, "argument MODEL is missing"));
  CHECK(contains(run({"classify", "--help"}).out, "parsimap classify [SCENE] MODEL [MAP] [options]"));
}

}  // namespace parsimap::test
