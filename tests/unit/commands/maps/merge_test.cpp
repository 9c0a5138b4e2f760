#include "parsimap/commands/maps/merge.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/scene.hpp"

#include "support/scene_values.hpp"
#include "unit/cli/program_runner.hpp"
#include "unit/commands/region_box.hpp"
#include "unit/commands/small_experiment.hpp"
#include "unit/commands/tall_scene.hpp"

namespace parsimap::test {

namespace {

namespace fs = std::filesystem;

// The files of both folders are the same in every byte.
void check_same_files(const TemporaryFolder& a, const TemporaryFolder& b) {
  REQUIRE(a.names() == b.names());
  for (const std::string& name : a.names()) {
    CAPTURE(name);
    CHECK(file_content(a.file(name)) == file_content(b.file(name)));
  }
}

std::string refusal_of_merge(const MergeOptions& options) {
  Listener silent;
  try {
    merge_map(options, silent);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

MergeOptions replacing(const std::string& map, bool keep_parts) {
  MergeOptions options{{}, map, false, keep_parts};
  options.overwrite = true;
  return options;
}

void check_merged(const std::string& extension, const OutputOptions& format, const std::string& rule, Index count,
                  const std::optional<std::string>& region = {}) {
  CAPTURE(extension);
  CAPTURE(rule);
  CAPTURE(count);
  const TemporaryFolder whole;
  const TemporaryFolder parts;
  MapOptions options = TallScene::instance().mapping(whole, extension);
  options.layers[MapLayer::deciding] = whole.file("deciding." + extension);
  options.layers[MapLayer::sets] = whole.file("sets." + extension);
  options.format = format;
  options.regularise = parse_regularisation(rule);
  options.scene.region = region;
  const MappingRecord one = map(options);
  options = TallScene::instance().mapping(parts, extension);
  options.layers[MapLayer::deciding] = parts.file("deciding." + extension);
  options.layers[MapLayer::sets] = parts.file("sets." + extension);
  options.format = format;
  options.regularise = parse_regularisation(rule);
  options.scene.region = region;
  for (Index number = count; number >= 1; --number) {
    options.threads = 1 + static_cast<int>(number % 2);
    make_part(options, number, count);
  }
  const MappingRecord merged = merge({{}, options.map});
  check_same_files(whole, parts);
  CHECK(merged.regularisation == one.regularisation);
  CHECK(merged.regularise == one.regularise);
  CHECK(merged.pixels == one.pixels);
  CHECK(merged.classified == one.classified);
  CHECK(merged.rejected == one.rejected);
  CHECK(merged.rejected > 0);
  REQUIRE(merged.classes.size() == one.classes.size());
  for (std::size_t c = 0; c < one.classes.size(); ++c) {
    CHECK(merged.classes[c].pixels == one.classes[c].pixels);
    CHECK(merged.classes[c].name == one.classes[c].name);
  }
  CHECK(merged.sets->pixels == one.sets->pixels);
  REQUIRE(merged.deciding.size() == one.deciding.size());
  for (std::size_t f = 0; f < one.deciding.size(); ++f) {
    CHECK(merged.deciding[f].labels == one.deciding[f].labels);
    CHECK(merged.deciding[f].pixels == one.deciding[f].pixels);
    CHECK(merged.deciding[f].hanging == one.deciding[f].hanging);
  }
  CHECK(merged.stages.back().first == "merge");
  CHECK(merged.layers[0].file == options.layers.at(MapLayer::probabilities));
  CHECK_FALSE(merged.shard);
}

}  // namespace

TEST_CASE("merged parts are the bytes of one run, however it is regularised") {
  for (const char* rule : {"none", "neighbours:1", "gaussian:1.2", "auto"}) {
    check_merged("tif", {}, rule, 4);
  }
}

TEST_CASE("merged parts are the bytes of one run in other formats, and with one part or empty ones") {
  check_merged("tif", {"COG", {}}, "neighbours:1", 2);
  check_merged("img", {}, "none", 3);
  check_merged("tif", {"GTiff", {"COMPRESS=LZW", "BLOCKYSIZE=32"}}, "gaussian:3", 7);
  check_merged("tif", {}, "none", 1);
  check_merged("tif", {}, "none", 8);
}

TEST_CASE("merged parts of a region are the bytes of one run") {
  const std::string box = box_of_window(TallScene::instance().scene(), {3, 300, 11, 700});
  check_merged("tif", {}, "none", 2, box);
  check_merged("tif", {}, "auto", 3, box);
}

TEST_CASE("missing, foreign and damaged parts are named, and nothing is written") {
  const TemporaryFolder folder;
  MapOptions options = TallScene::instance().mapping(folder);
  CHECK(contains(refusal_of_merge({{}, options.map}), "there are no parts of '" + options.map + "'"));
  make_part(options, 3, 5);
  CHECK(contains(refusal_of_merge({{}, options.map}),
                 "of the 5 parts of '" + options.map + "' some cannot be joined; missing: 1-2, 4-5. "));
  make_parts(options, 5);
  write_file(folder.file("map.tif.parts/2/map.tif"), "short");
  std::string other = file_content(folder.file("map.tif.parts/3/novelty.tif"));
  other[other.size() / 2] = static_cast<char>(other[other.size() / 2] ^ 1);
  write_file(folder.file("map.tif.parts/3/novelty.tif"), other);
  write_file(folder.file("map.tif.parts/4/part.json"), "{}");
  fs::remove(folder.file("map.tif.parts/5/probabilities.tif"));
  const std::string text = refusal_of_merge({{}, options.map});
  CHECK(contains(text, "; 2 is damaged (map.tif has 5 bytes, and had "));
  CHECK(contains(text, "; 3 is damaged (novelty.tif is not what was written)"));
  CHECK(contains(text, "; 4 is damaged (part.json: it does not fit its checksum)"));
  CHECK(contains(text, "; 5 is damaged (probabilities.tif is missing)"));
  // A part of another job, copied here.
  const TemporaryFolder elsewhere;
  MapOptions another = TallScene::instance().mapping(elsewhere);
  another.reject = 0.8;
  make_part(another, 1, 5);
  fs::remove_all(folder.file("map.tif.parts/1"));
  fs::copy(elsewhere.file("map.tif.parts/1"), folder.file("map.tif.parts/1"));
  CHECK(contains(refusal_of_merge({{}, options.map}), "; of another map: 1; 2 is damaged"));
  CHECK(folder.names() == std::vector<std::string>{"map.tif.parts"});
  // They are made again, and joined.
  make_parts(
      [&] {
        options.overwrite = true;
        return options;
      }(),
      5);
  CHECK(merge({{}, options.map}).pixels == 20 * 1100);
}

TEST_CASE("a damaged plan, and one of another version, are refused") {
  const TemporaryFolder folder;
  const MapOptions options = TallScene::instance().mapping(folder);
  make_part(options, 1, 1);
  const std::string plan = file_content(folder.file("map.tif.parts/plan.json"));
  write_file(folder.file("map.tif.parts/plan.json"), plan.substr(0, 50));
  CHECK(contains(refusal_of_merge({{}, options.map}), "plan.json' is damaged: it does not fit its checksum; remove '"));
}

TEST_CASE("a map that exists is kept unless it may be replaced, and parts stay where that is asked for") {
  const TemporaryFolder folder;
  const MapOptions options = TallScene::instance().mapping(folder);
  make_parts(options, 2);
  write_file(options.map, "mine");
  CHECK_THROWS_AS(merge({{}, options.map}), ConfigError);
  CHECK(file_content(options.map) == "mine");
  merge(replacing(options.map, true));
  CHECK(fs::exists(folder.file("map.tif.parts/plan.json")));
  write_file(folder.file("map.tif.parts/notes.txt"), "mine");
  RecordingListener listener;
  merge_map(replacing(options.map, false), listener);
  CHECK(listener.has_warning("cannot be removed, or holds files that are not parts"));
  CHECK(file_content(folder.file("map.tif.parts/notes.txt")) == "mine");
  CHECK_FALSE(fs::exists(folder.file("map.tif.parts/1")));
}

TEST_CASE("a VRT names the parts, reads as the map and moves with it") {
  const TemporaryFolder whole;
  const TemporaryFolder folder;
  map(TallScene::instance().mapping(whole));
  const MapOptions options = TallScene::instance().mapping(folder);
  make_parts(options, 7);
  const MappingRecord record = merge({{}, options.map, true});
  CHECK(record.map == folder.file("map.vrt"));
  CHECK(record.layers[0].file == folder.file("probabilities.vrt"));
  CHECK_FALSE(fs::exists(options.map));
  // The parts stay as long as it shows them.
  std::string refusal;
  try {
    merge({{}, options.map});
  } catch (const ConfigError& error) {
    refusal = error.what();
  }
  CHECK(contains(refusal, "map.vrt' shows the parts in '"));
  CHECK(contains(refusal, "use --keep-parts, or remove the VRT"));
  const TemporaryFolder moved;
  fs::copy(folder.file(""), moved.file(""), fs::copy_options::recursive);
  fs::remove_all(folder.file("map.tif.parts"));
  const auto expected = open_class_map(whole.file("map.tif"));
  const auto found = open_class_map(moved.file("map.vrt"));
  CHECK(found->classes() == expected->classes());
  CHECK(found->grid().geotransform == expected->grid().geotransform);
  std::vector<std::uint16_t> codes;
  std::vector<std::uint16_t> expected_codes;
  found->read({0, 0, 20, 1100}, codes);
  expected->read({0, 0, 20, 1100}, expected_codes);
  CHECK(codes == expected_codes);
  for (const std::string name : {"probabilities", "novelty"}) {
    const Spectra a = values_of(moved.file(name + ".vrt"));
    const Spectra b = values_of(whole.file(name + ".tif"));
    CHECK(a == b);
    CHECK(open_scene(moved.file(name + ".vrt")).source->bands()[0].name ==
          open_scene(whole.file(name + ".tif")).source->bands()[0].name);
  }
}

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
  // The parts stay as long as the VRT shows them.
  CHECK(run({"merge", map, "--overwrite"}).code == 2);
  std::filesystem::remove(folder.file("map.vrt"));
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
