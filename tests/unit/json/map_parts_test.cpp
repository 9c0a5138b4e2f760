#include "parsimap/json/map_parts.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

using namespace parsimap;

namespace {

MapPlan full_plan() {
  MapPlan plan;
  plan.version = "1.2.3";
  plan.parts = 7;
  plan.facts = {{"the model", "abc"}, {"--reject", "0.1"}};
  plan.regularise = "auto";
  plan.regularisation = "neighbours:0.7:3";
  plan.choice_seconds = 0.1 + 0.2;
  plan.grid.width = 10;
  plan.grid.height = 70;
  plan.grid.geotransform = std::array<double, 6>{0.1, 1.0 / 3, 0, 4e6, 0, -1.0 / 3};
  plan.grid.crs = "a \"system\"";
  plan.grid.control_points = {{0.5, 1, 2, 3}};
  plan.unit = 16;
  plan.classes = {{1, "water", Colour{0, 128, 255}}, {300, "for\u00eat", {}}};
  plan.layers = {{"decision-values", "d.tif"}};
  plan.format = "COG";
  plan.creation_options = {"BLOCKSIZE=256"};
  plan.scene = "scene.tif";
  plan.model = "model";
  plan.resampled = ResamplingFacts{"scene.tif", 4, 3, 2, 1, 0.25};
  return plan;
}

}  // namespace

TEST_CASE("a plan is read as it was written") {
  const MapPlan plan = full_plan();
  const MapPlan read = plan_of_json(plan_json(plan));
  CHECK(plan_json(read) == plan_json(plan));
  CHECK(plan_digest(read) == plan_digest(plan));
  CHECK(read.grid.geotransform == plan.grid.geotransform);
  CHECK(read.classes == plan.classes);
  MapPlan bare = plan;
  bare.grid.geotransform.reset();
  bare.format.reset();
  bare.resampled.reset();
  CHECK_FALSE(plan_of_json(plan_json(bare)).grid.geotransform);
  CHECK_FALSE(plan_of_json(plan_json(bare)).format);
}

TEST_CASE("a part is read as it was written") {
  const MapPart part{{3, 7}, "abc",  {16, 32},  {{"map.tif", 12, "ff"}}, 5,
                     1,      {2, 3}, 0.1 + 0.2, {{"read", 1.5}},         std::int64_t{1} << 40U};
  const MapPart read = part_of_json(part_json(part));
  CHECK(part_json(read) == part_json(part));
  CHECK(read.shard == part.shard);
  CHECK(read.rows == part.rows);
  CHECK(read.stages == part.stages);
}

TEST_CASE("a record of a whole map is read as it was written, complete or not") {
  SceneMapRecord record;
  record.digest = "abc";
  CHECK(scene_map_json(scene_map_of_json(scene_map_json(record))) == scene_map_json(record));
  record.record.emplace();
  record.record->map = "map.tif";
  record.record->layers = {{"novelty", "n.tif"}, {"confidence", {}}};
  record.record->classes = {{2, "water", 17}};
  record.record->stages = {{"read", 0.25}};
  record.bytes = {100, 200};
  const SceneMapRecord read = scene_map_of_json(scene_map_json(record));
  CHECK(scene_map_json(read) == scene_map_json(record));
  CHECK(read.record->classes[0].pixels == 17);
  CHECK(read.record->layers[0].file == "n.tif");
}

TEST_CASE("a damaged document is refused, whatever was changed") {
  const std::string text = plan_json(full_plan());
  for (std::size_t i = 0; i < text.size(); i += 7) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    CHECK_THROWS_AS(plan_of_json(damaged), DataError);
  }
  CHECK_THROWS_WITH_AS(plan_of_json(text.substr(0, text.size() / 2)), "it does not fit its checksum", DataError);
  CHECK_THROWS_AS(plan_of_json(""), DataError);
}

TEST_CASE("another document is no plan") {
  CHECK_THROWS_AS(plan_of_json(part_json({})), DataError);
  CHECK_THROWS_WITH_AS(plan_of_json(plan_json({})), "it is no plan of a map", DataError);
  CHECK_THROWS_AS(part_of_json(plan_json(full_plan())), DataError);
}
