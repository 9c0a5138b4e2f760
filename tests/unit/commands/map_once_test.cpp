#include "commands/map_once.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/json/map_parts.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {
namespace {

MappingRecord once(const MapOptions& options, const std::string& record, RecordingListener& listener) {
  return map_once(options, record, listener);
}

}  // namespace

TEST_CASE("a map is made once, and again when it is gone or was made otherwise") {
  const TemporaryFolder folder;
  const std::string record = folder.file("record.json");
  MapOptions options = SmallScene::instance().mapping(folder.file("map.tif"));
  options.layers = {{MapLayer::confidence, folder.file("c.tif")}};
  RecordingListener listener;
  const MappingRecord first = once(options, record, listener);
  CHECK(listener.messages.empty());
  const MappingRecord second = once(options, record, listener);
  CHECK(listener.said("'" + options.map + "' is complete already"));
  CHECK(second.classified == first.classified);
  CHECK(second.classes[1].pixels == first.classes[1].pixels);
  CHECK(second.stages == first.stages);
  std::filesystem::remove(folder.file("c.tif"));
  RecordingListener again;
  once(options, record, again);
  CHECK(again.messages.empty());
  CHECK(std::filesystem::exists(folder.file("c.tif")));
  options.reject = 0.6;
  CHECK_THROWS_AS(once(options, record, again), ConfigError);
  options.overwrite = true;
  CHECK_NOTHROW(once(options, record, again));
}

TEST_CASE("a map that a killed process of the same job has left is replaced, and that of a stranger is not") {
  const TemporaryFolder folder;
  const std::string record = folder.file("record.json");
  const MapOptions options = SmallScene::instance().mapping(folder.file("map.tif"));
  RecordingListener listener;
  once(options, record, listener);
  // Killed when the map was in place and its record not complete.
  SceneMapRecord begun = scene_map_of_json(file_content(record));
  begun.record.reset();
  write_file(record, scene_map_json(begun));
  CHECK_NOTHROW(once(options, record, listener));
  CHECK(scene_map_of_json(file_content(record)).record);
  std::filesystem::remove(record);
  const std::string map = file_content(options.map);
  CHECK_THROWS_AS(once(options, record, listener), ConfigError);
  CHECK(file_content(options.map) == map);
  CHECK_FALSE(std::filesystem::exists(record));
  write_file(record, "mine");
  CHECK_THROWS_AS(once(options, record, listener), ConfigError);
  CHECK(file_content(record) == "mine");
}

}  // namespace parsimap::test
