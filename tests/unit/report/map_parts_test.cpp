
#include "parsimap/report/map_parts.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

using namespace parsimap;

namespace {

MapPlan small_plan() {
  MapPlan plan;
  plan.parts = 3;
  plan.facts = {{"the model", "abc"}, {"--reject", "0.5"}};
  plan.grid.width = 10;
  plan.grid.height = 70;
  plan.unit = 16;
  return plan;
}

}  // namespace

TEST_CASE("a digest follows every fact and what was found, and nothing else") {
  const MapPlan plan = small_plan();
  MapPlan other = plan;
  other.scene = "elsewhere/scene.tif";
  other.choice_seconds = 9;
  CHECK(plan_digest(other) == plan_digest(plan));
  other.regularisation = "neighbours:1:2";
  CHECK(plan_digest(other) != plan_digest(plan));
  other = plan;
  other.facts[1].second = "0.7";
  CHECK(plan_digest(other) != plan_digest(plan));
  // The same letters, cut elsewhere.
  other.facts = {{"the modela", "bc"}, {"--reject", "0.5"}};
  CHECK(plan_digest(other) != plan_digest(plan));
}

TEST_CASE("what differs from a plan is named with both values") {
  const MapPlan plan = small_plan();
  CHECK(plan_difference(plan, plan.facts).empty());
  CHECK(plan_difference(plan, {{"the model", "abc"}, {"--reject", "0.7"}}) == "--reject is 0.5 there and 0.7 here");
  CHECK(plan_difference(plan, {{"the model", "abc"}}) == "--reject is 0.5 there and unset here");
  CHECK(plan_difference(plan, {{"the scene", "x"}}) == "the scene is unset there and x here");
}

TEST_CASE("parts are whole units, cover all rows once, and may be empty") {
  MapPlan plan = small_plan();
  CHECK(part_rows(plan, {1, 3}) == ItemRange{0, 32});
  CHECK(part_rows(plan, {2, 3}) == ItemRange{32, 64});
  CHECK(part_rows(plan, {3, 3}) == ItemRange{64, 70});
  for (const Index count : {1, 2, 5, 6, 100}) {
    plan.parts = count;
    Index next = 0;
    for (Index number = 1; number <= count; ++number) {
      const ItemRange rows = part_rows(plan, {number, count});
      CHECK((rows.size() == 0 || rows.first == next));
      CHECK((rows.first % plan.unit == 0 || rows.size() == 0));
      next += rows.size();
    }
    CHECK(next == plan.grid.height);
  }
}

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
  const MapPart part{{{0.1 + 0.2, {{"read", 1.5}}, std::int64_t{1} << 40U}, 5, 1, 4},
                     {3, 7},
                     "abc",
                     {16, 32},
                     {{"map.tif", 12, "ff"}},
                     {2, 3}};
  const MapPart read = part_of_json(part_json(part));
  CHECK(part_json(read) == part_json(part));
  CHECK(read.shard == part.shard);
  CHECK(read.rows == part.rows);
  CHECK(read.undeclared == 4);
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
