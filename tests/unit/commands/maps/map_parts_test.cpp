#include "commands/maps/map_parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/map_parts.hpp"

#include "commands/job_frame.hpp"
#include "support/small_scene.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

namespace {

MapPlan small_plan() {
  MapPlan plan;
  plan.parts = 2;
  plan.grid.width = 10;
  plan.grid.height = 20;
  plan.unit = 16;
  plan.classes = {{1, "water", {}}, {2, "forest", {}}};
  return plan;
}

}  // namespace

TEST_CASE("files of a plan are named by their way from the map, and found again from another folder") {
  CHECK(planned_path("out/map.tif", "out/layers/p.tif") == "layers/p.tif");
  CHECK(planned_path("out/map.tif", "p.tif") == "../p.tif");
  CHECK(planned_path("map.tif", "p.tif") == "p.tif");
  CHECK(planned_path("map.tif", "/data/p.tif") == "/data/p.tif");
  MapPlan plan;
  const auto seen_from = [&](const std::string& map, const std::string& file) {
    plan.layers = {{"novelty", file}};
    return layers_of(plan, map).at(MapLayer::novelty);
  };
  CHECK(seen_from("elsewhere/map.tif", "p.tif") == "elsewhere/p.tif");
  CHECK(seen_from("map.tif", "p.tif") == "p.tif");
  CHECK(seen_from("out/map.tif", "/data/p.tif") == "/data/p.tif");
}

TEST_CASE("counts, times and stages of parts are summed up, and memory is the most of any") {
  MapPlan plan = small_plan();
  plan.regularise = "auto";
  plan.regularisation = "gaussian:1";
  plan.choice_seconds = 5;
  plan.layers = {{"novelty", "n.tif"}};
  const MapPart first{{{2, {{"read", 1}, {"write", 0.5}}, 10}, 100, 3}, {1, 2}, "", {0, 16}, {}, {60, 40}};
  const MapPart second{{{1, {{"write", 0.25}}, 30}, 30, 4}, {2, 2}, "", {16, 20}, {}, {10, 20}};
  MappingRecord record = record_of_parts(plan, "out/map.tif", {first, second});
  add_choice(plan, record);
  CHECK(record.pixels == 200);
  CHECK(record.classified == 130);
  CHECK(record.rejected == 7);
  CHECK(record.classes[1].pixels == 60);
  CHECK(record.seconds == 8);
  CHECK(record.stages == StageSeconds{{"choose", 5}, {"read", 1}, {"write", 0.75}});
  CHECK(record.peak_memory_bytes == 30);
  CHECK(record.layers[4].file == "out/n.tif");
}

TEST_CASE("an empty part needs a record alone, and what is not of the plan is foreign") {
  const TemporaryFolder folder;
  const PartsFolder parts(folder.file("map.tif"));
  CHECK_FALSE(parts.plan());
  MapPlan plan = small_plan();
  plan.parts = 3;
  std::filesystem::create_directories(parts.part_folder(3));
  CHECK(parts.find(plan, 3).state == PartState::missing);
  MapPart part{{}, {3, 3}, plan_digest(plan), {20, 20}, {}, {0, 0}};
  write_file(parts.record_file(3), part_json(part));
  CHECK(parts.find(plan, 3).state == PartState::complete);
  part.digest = "other";
  write_file(parts.record_file(3), part_json(part));
  CHECK(parts.find(plan, 3).state == PartState::foreign);
  write_file(parts.record_file(3), "cut sh");
  CHECK(parts.find(plan, 3).state == PartState::damaged);
  write_file(parts.plan_file(), "cut sh");
  CHECK_THROWS_AS(static_cast<void>(parts.plan()), DataError);
  write_file(parts.plan_file(), plan_json(plan));
  CHECK(parts.plan()->parts == 3);
  // Only what a record names is removed: nothing of a damaged one, and no file of somebody else.
  CHECK_FALSE(parts.remove());
  CHECK(file_content(parts.record_file(3)) == "cut sh");
  part.files = {{"map.tif", 4, ""}};
  write_file(parts.record_file(3), part_json(part));
  write_file(parts.raster(3, "map"), "part");
  write_file(parts.raster(3, "mine"), "mine");
  std::filesystem::create_directory(parts.part_folder(2024));
  write_file(parts.raster(2024, "photo"), "mine");
  CHECK_FALSE(parts.remove());
  CHECK_FALSE(std::filesystem::exists(parts.raster(3, "map")));
  CHECK(file_content(parts.raster(3, "mine")) == "mine");
  CHECK(file_content(parts.raster(2024, "photo")) == "mine");
  std::filesystem::remove_all(parts.part_folder(2024));
  std::filesystem::remove(parts.raster(3, "mine"));
  write_file(parts.record_file(3), part_json(part));
  CHECK(parts.remove());
  CHECK(folder.names().empty());
}

TEST_CASE("windows of the whole map are written to the rows of the part, and its record is there last") {
  const TemporaryFolder folder;
  const PartsFolder parts(folder.file("map.tif"));
  std::filesystem::create_directory(parts.path());
  MapPlan plan;
  plan.parts = 2;
  plan.unit = 4;
  plan.grid.width = 2;
  plan.grid.height = 6;
  plan.classes = {{1, "water", {}}, {2, "forest", {}}};
  plan.layers = {{"confidence", "c.tif"}};
  MapPart part;
  part.shard = {2, 2};
  part.digest = plan_digest(plan);
  part.rows = part_rows(plan, part.shard);
  part.class_pixels = {1, 1};
  {
    PartOutputs outputs(parts, plan, part.shard);
    outputs.sinks().map->write({0, 5, 2, 1}, {1, 2});
    outputs.sinks().layers.at(MapLayer::confidence)->write({0, 4, 1, 1}, Spectra::Constant(1, 1, 0.5F));
    outputs.complete(part);
    CHECK(parts.find(plan, 2).state == PartState::missing);
    outputs.publish(part);
  }
  CHECK(parts.find(plan, 2).state == PartState::complete);
  Spectra codes;
  open_scene(parts.raster(2, "map")).source->read({0, 1, 2, 1}, {0}, codes);
  CHECK(codes == Spectra{{1.0F}, {2.0F}});
  Spectra confidence;
  open_scene(parts.raster(2, "confidence")).source->read({0, 0, 1, 1}, {0}, confidence);
  CHECK(confidence(0, 0) == 0.5F);
}

TEST_CASE("facts follow what decides about a map, and not how files are called") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions options = small.mapping(folder.file("map.tif"));
  const Model model = load_model(small.model());
  const MapFacts facts = map_facts(options, 3, open_input_scene(options.scene), model);
  CHECK(map_facts(options, 4, open_input_scene(options.scene), model) != facts);
  MapOptions copy = options;
  copy.scene.path = folder.file("copy.tif");
  copy.model = folder.file("copy");
  std::filesystem::copy_file(options.scene.path, copy.scene.path);
  std::filesystem::copy_file(options.model, copy.model);
  copy.threads = 1;
  copy.ram_bytes = 1;
  CHECK(map_facts(copy, 3, open_input_scene(copy.scene), model) == facts);
  const auto differs = [&](const auto& change) {
    MapOptions other = options;
    change(other);
    return map_facts(other, 3, open_input_scene(other.scene), model) != facts;
  };
  CHECK(differs([](MapOptions& other) { other.reject = 0.5; }));
  CHECK(differs([](MapOptions& other) { other.reject_novelty = 0.5; }));
  CHECK(differs([](MapOptions& other) { other.regularise = parse_regularisation("auto"); }));
  CHECK(differs([](MapOptions& other) { other.layers[MapLayer::novelty] = "n.tif"; }));
  CHECK(differs([](MapOptions& other) { other.format.creation_options = {"A=B"}; }));
  CHECK(differs([](MapOptions& other) { other.resample = true; }));
  CHECK(differs([&](MapOptions& other) { other.scene.mask = small.reference(); }));
  CHECK(differs([&](MapOptions& other) { other.scene.region = "-1e9,-1e9,1e9,1e9"; }));
  CHECK(differs([&](MapOptions& other) { other.scene.path = small.map(); }));
  Model coloured = model;
  coloured.classes[0].colour = Colour{1, 2, 3};
  CHECK(map_facts(options, 3, open_input_scene(options.scene), coloured) != facts);
}

TEST_CASE("facts have the content of every file that the description names") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const Model model = load_model(small.model());
  MapOptions options = small.mapping(folder.file("map.tif"));
  const InputScene scene = open_input_scene(options.scene);
  write_file(folder.file("a"), "water,#0000fa\n");
  write_file(folder.file("b"), "water,#0000fb\n");
  write_file(folder.file("copy"), "water,#0000fa\n");
  Index files = 0;
  for (const OptionSyntax& option : all_options(work_syntax(options))) {
    const std::vector<FileContent>& contents = option.file.contents;
    if (contents.empty() || option.file.written || std::ranges::find(contents, FileContent::folder) != contents.end()) {
      continue;
    }
    CAPTURE(option.name);
    const auto with = [&](const std::string& name) {
      option.field.store(folder.file(name));
      return map_facts(options, 3, scene, model);
    };
    CHECK(with("a") != with("b"));
    CHECK(with("a") == with("copy"));
    ++files;
  }
  CHECK(files >= 3);  // --mask, --glt and --colours
}

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
