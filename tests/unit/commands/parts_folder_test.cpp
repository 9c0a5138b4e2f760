#include "commands/parts_folder.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/json/map_parts.hpp"

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
  CHECK(layer_path("elsewhere/map.tif", {"novelty", "p.tif"}) == "elsewhere/p.tif");
  CHECK(layer_path("map.tif", {"novelty", "p.tif"}) == "p.tif");
  CHECK(layer_path("out/map.tif", {"novelty", "/data/p.tif"}) == "/data/p.tif");
}

TEST_CASE("counts, times and stages of parts are summed up, and memory is the most of any") {
  MapPlan plan = small_plan();
  plan.regularise = "auto";
  plan.regularisation = "gaussian:1";
  plan.choice_seconds = 5;
  plan.layers = {{"novelty", "n.tif"}};
  const MapPart first{{1, 2}, "", {0, 16}, {}, 100, 3, {60, 40}, 2, {{"read", 1}, {"write", 0.5}}, 10};
  const MapPart second{{2, 2}, "", {16, 20}, {}, 30, 4, {10, 20}, 1, {{"write", 0.25}}, 30};
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
  MapPart part{{3, 3}, plan_digest(plan), {20, 20}, {}, 0, 0, {0, 0}, 0, {}, {}};
  write_file(parts.record_file(3), part_json(part));
  CHECK(parts.find(plan, 3).state == PartState::complete);
  part.digest = "other";
  write_file(parts.record_file(3), part_json(part));
  CHECK(parts.find(plan, 3).state == PartState::foreign);
  write_file(parts.record_file(3), "cut sh");
  CHECK(parts.find(plan, 3).state == PartState::damaged);
  write_file(parts.plan_file(), "cut sh");
  CHECK_THROWS_AS(parts.plan(), DataError);
  write_file(parts.plan_file(), plan_json(plan));
  CHECK(parts.plan()->parts == 3);
  CHECK(parts.remove());
  CHECK(folder.names().empty());
}

}  // namespace parsimap::test
