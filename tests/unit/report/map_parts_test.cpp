#include "parsimap/report/map_parts.hpp"

#include <doctest/doctest.h>

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
  CHECK(plan_difference(plan, {{"the model", "abc"}}) == "more is known there");
  CHECK(plan_difference(plan, {{"the scene", "x"}}) == "the scene is not known there");
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
