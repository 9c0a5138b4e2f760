#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "unit/cli/program_runner.hpp"
#include "unit/commands/small_experiment.hpp"

namespace parsimap::test {
namespace {

Outcome classify_in_blocks(const std::string& map, const std::vector<std::string>& options) {
  const SmallScene& small = SmallScene::instance();
  std::vector<std::string> arguments = {"classify", small.scene(), small.model(), map, "--co", "BLOCKYSIZE=16"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

}  // namespace

TEST_CASE("parts are planned, made and merged by the command line") {
  const TemporaryFolder folder;
  const std::string map = folder.file("map.tif");
  const Outcome planned = classify_in_blocks(map, {"--regularise", "auto", "--shard", "0/2"});
  CAPTURE(planned.err);
  CHECK(planned.code == 0);
  CHECK(contains(planned.out, "Planned 2 parts of " + map + ".\nRegularised: "));
  const Outcome part = classify_in_blocks(map, {"--regularise", "auto", "--shard", "2/2", "--json"});
  REQUIRE(part.code == 0);
  const auto json = nlohmann::json::parse(part.out);
  CHECK(json.at("shard").at("number") == 2);
  // The scene is a single row of tiles, so that nothing is left for the second part.
  CHECK(json.at("shard").at("first_row") == 24);
  CHECK(json.at("shard").at("rows") == 0);
  CHECK(json.at("pixels") == 0);
  const Outcome early = run({"merge", map});
  CHECK(early.code == 3);
  CHECK(contains(early.err, "missing: 1. "));
  CHECK_FALSE(std::filesystem::exists(map));
  const Outcome first = classify_in_blocks(map, {"--regularise", "auto", "--shard", "1/2"});
  CHECK(contains(first.out, "Part 1 of 2 of " + map + ": rows 1 to 24.\nClassified 720 of 720 pixels"));
  CHECK(contains(classify_in_blocks(map, {"--regularise", "auto", "--shard", "1/2"}).err, "is complete already"));
  const Outcome merged = run({"merge", map, "--json", "--keep-parts"});
  REQUIRE(merged.code == 0);
  const auto whole = nlohmann::json::parse(merged.out);
  CHECK(whole.at("shard").is_null());
  CHECK(whole.at("pixels") == 30 * 24);
  CHECK(whole.at("stages").contains("merge"));
  CHECK(run({"merge", map, "--vrt", "--overwrite"}).code == 0);
  CHECK(std::filesystem::exists(folder.file("map.vrt")));
  CHECK(contains(run({"merge", map, "--overwrite"}).out, "Map: " + map));
  CHECK_FALSE(std::filesystem::exists(map + ".parts"));
}

TEST_CASE("a shard that is none, and a folder in place of a map, are refused") {
  const TemporaryFolder folder;
  const Outcome shard = classify_in_blocks(folder.file("map.tif"), {"--shard", "3/2"});
  CHECK(shard.code == 2);
  CHECK(contains(shard.err, "shard '3/2' is not NUMBER/COUNT such as 3/64"));
  const Outcome merged = run({"merge", folder.file("")});
  CHECK(merged.code == 3);
  CHECK(contains(merged.err,
                 "has no journals of shards, such as journal-1-of-8.jsonl; for parts of a map, name the map"));
}

TEST_CASE("the shards of an experiment are merged by the name of their folder") {
  const TemporaryFolder folder;
  write_file(folder.file("small.json"), small_experiment().dump());
  const std::string out = folder.file("out");
  for (const char* shard : {"2/2", "1/2"}) {
    CHECK(run({"run", folder.file("small.json"), "--output-dir", out, "--shard", shard}).code == 0);
  }
  CHECK(run({"merge", out, "--vrt"}).code == 2);
  const Outcome merged = run({"merge", out});
  CAPTURE(merged.err);
  CHECK(merged.code == 0);
  CHECK(contains(merged.out, "Small & quick\n\ntoy: 40 training samples, 12 features; test set 'test'\n"));
  CHECK(contains(merged.out, "Report: " + out + "/report.html"));
  CHECK(run({"merge", out}).code == 3);
}

}  // namespace parsimap::test
