#include "parsimap/commands/maps/map_shard.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/core/error.hpp"

#include "unit/commands/tall_scene.hpp"

namespace parsimap::test {

namespace {

namespace fs = std::filesystem;

std::string refusal_of_part(const MapOptions& options, const Shard& shard) {
  Listener silent;
  try {
    map_shard(options, shard, silent);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a part is its rows of the map, with a record of what is in it") {
  const TemporaryFolder folder;
  const MapOptions options = TallScene::instance().mapping(folder);
  const MappingRecord record = make_part(options, 2, 3);
  REQUIRE(record.shard);
  CHECK(record.shard->rows == ItemRange{512, 1024});
  CHECK(record.pixels == 512 * 20);
  CHECK(record.classified + record.rejected == record.pixels);
  CHECK(folder.names() == std::vector<std::string>{"map.tif.parts"});
  CHECK(fs::exists(folder.file("map.tif.parts/plan.json")));
  CHECK(fs::exists(folder.file("map.tif.parts/2/part.json")));
  CHECK(fs::exists(folder.file("map.tif.parts/2/novelty.tif")));
  CHECK_FALSE(fs::exists(folder.file("map.tif.parts/1")));
}

TEST_CASE("a part has no STAC item") {
  const TemporaryFolder folder;
  MapOptions options = TallScene::instance().mapping(folder);
  options.stac = folder.file("item.json");
  CHECK(contains(refusal_of_part(options, {1, 3}), "--stac does not go with --shard"));
}

TEST_CASE("a complete part is left as it is, and one that is damaged is made again") {
  const TemporaryFolder folder;
  const MapOptions options = TallScene::instance().mapping(folder);
  const MappingRecord first = make_part(options, 1, 3);
  const std::string file = folder.file("map.tif.parts/1/map.tif");
  const auto time = fs::last_write_time(file);
  RecordingListener listener;
  const MappingRecord again = map_shard(options, {1, 3}, listener);
  CHECK(listener.said("part 1 of 3 of '" + options.map + "' is complete already"));
  CHECK(again.shard->done);
  CHECK(again.classified == first.classified);
  CHECK(fs::last_write_time(file) == time);
  const std::string content = file_content(file);
  write_file(file, content.substr(0, content.size() / 2));
  CHECK_FALSE(map_shard(options, {1, 3}, listener).shard->done);
  CHECK(listener.has_warning("is damaged and made again: map.tif has"));
  CHECK(file_content(file) == content);
}

TEST_CASE("parts of another scene, model, number or option are refused, and replaced where that is asked for") {
  const TemporaryFolder folder;
  MapOptions options = TallScene::instance().mapping(folder);
  make_part(options, 1, 3);
  CHECK(contains(refusal_of_part(options, {1, 4}), "the number of parts is 3 there and 4 here; use --overwrite"));
  MapOptions other = options;
  other.reject = 0.8;
  CHECK(contains(refusal_of_part(other, {1, 3}), "--reject is 0.9 there and 0.8 here"));
  other = options;
  other.regularise = parse_regularisation("gaussian:1");
  CHECK(contains(refusal_of_part(other, {2, 3}), "--regularise is none there and gaussian:1 here"));
  other = options;
  other.layers.erase(MapLayer::novelty);
  CHECK(contains(refusal_of_part(other, {2, 3}), "--novelty is "));
  other = options;
  other.model = folder.file("model");
  fs::copy_file(options.model, other.model);
  CHECK(refusal_of_part(other, {2, 3}).empty());  // a copy is the same model
  TrainOptions training;
  training.scene.path = options.scene.path;
  training.labels = {{fs::path(options.scene.path).parent_path() / "training.gpkg"}, {"class", {}}};
  training.model = other.model;
  training.overwrite = true;
  training.training.seed = 99;
  train(training);
  CHECK(contains(refusal_of_part(other, {2, 3}), "the SHA-256 of the model is "));
  other = options;
  other.reject = 0.8;
  other.overwrite = true;
  CHECK_FALSE(make_part(other, 1, 3).shard->done);
  CHECK(make_part(other, 1, 3).shard->done);
  CHECK_FALSE(make_part(other, 2, 3).shard->done);
}

TEST_CASE("what does not change the map is free: threads, memory, and how files are called") {
  const TemporaryFolder folder;
  MapOptions options = TallScene::instance().mapping(folder);
  make_part(options, 1, 3);
  options.threads = 1;
  options.ram_bytes = std::int64_t{64} << 20U;
  options.scene.path = folder.file("copy.tif");
  fs::copy_file(TallScene::instance().scene(), options.scene.path);
  CHECK(make_part(options, 1, 3).shard->done);
}

TEST_CASE("a plan by itself has what was found from the whole scene, and no part") {
  const TemporaryFolder folder;
  MapOptions options = TallScene::instance().mapping(folder);
  options.regularise = parse_regularisation("auto");
  const MappingRecord planned = make_part(options, 0, 3);
  CHECK(planned.regularise == "auto");
  CHECK(planned.regularisation != "auto");
  CHECK(planned.stages.front().first == "choose");
  CHECK(fs::exists(folder.file("map.tif.parts/plan.json")));
  CHECK_FALSE(fs::exists(folder.file("map.tif.parts/0")));
  const std::string plan = file_content(folder.file("map.tif.parts/plan.json"));
  CHECK(make_part(options, 3, 3).regularisation == planned.regularisation);
  CHECK(file_content(folder.file("map.tif.parts/plan.json")) == plan);
}

TEST_CASE("processes that begin together agree on one plan, and on one part") {
  const TemporaryFolder folder;
  MapOptions options = TallScene::instance().mapping(folder);
  options.threads = 1;
  std::vector<pid_t> children;
  for (const Index number : {1, 1, 2, 3}) {
    const pid_t child = fork();
    if (child == 0) {
      int code = 0;
      try {
        make_part(options, number, 3);
      } catch (...) {
        code = 1;
      }
      _exit(code);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  CHECK(merge({{}, options.map}).pixels == 20 * 1100);
}

TEST_CASE("what belongs to a map as a whole is refused, and so are outputs that cannot be written in the end") {
  const TemporaryFolder folder;
  MapOptions options = TallScene::instance().mapping(folder);
  options.segments = "segments.tif";
  CHECK(contains(refusal_of_part(options, {1, 3}), "--segments does not go with --shard"));
  options.segments.reset();
  options.report = folder.file("page.html");
  CHECK(contains(refusal_of_part(options, {1, 3}), "--report does not go with --shard"));
  options.report.reset();
  write_file(options.map, "");
  CHECK(contains(refusal_of_part(options, {1, 3}), "exists; use --overwrite to replace it"));
  options.map = folder.file("other.tif");
  options.format.creation_options = {"COMPRESS=NO SUCH"};
  CHECK_FALSE(refusal_of_part(options, {1, 3}).empty());
  CHECK_FALSE(fs::exists(folder.file("other.tif.parts")));
}

TEST_CASE("a folder that cannot be made is reported") {
  const TemporaryFolder folder;
  const MapOptions options = TallScene::instance().mapping(folder);
  write_file(options.map + ".parts", "");
  CHECK(contains(refusal_of_part(options, {1, 3}), "of the parts cannot be made: File exists"));
}

TEST_CASE("a part that fails leaves nothing, and what another process had begun is tidied up") {
  const TemporaryFolder folder;
  const MapOptions options = TallScene::instance().mapping(folder);
  class Interrupted final : public Listener {
   public:
    Progress progress(const std::string& stage) override {
      return [stage](double) {
        if (stage == "classifying") {
          throw IoError("interrupted");
        }
      };
    }
  } listener;
  CHECK_THROWS_WITH(map_shard(options, {2, 3}, listener), "interrupted");
  CHECK_FALSE(fs::exists(folder.file("map.tif.parts/2")));
  // As a process leaves it that is killed: nobody holds the lock.
  fs::create_directories(folder.file("map.tif.parts/2/.parsimap-1-0"));
  write_file(folder.file("map.tif.parts/2/.parsimap-1-0/lock"), "");
  CHECK_FALSE(make_part(options, 2, 3).shard->done);
  CHECK_FALSE(fs::exists(folder.file("map.tif.parts/2/.parsimap-1-0")));
}

}  // namespace parsimap::test
