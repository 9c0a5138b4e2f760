#include "parsimap/accuracy/sample_draw.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "parsimap/core/error.hpp"

#include "unit/accuracy/memory_map.hpp"

namespace parsimap::test {
namespace {

// 30 x 20 pixels: every seventh is unclassified, every fourth of the others is water.
MemoryMap striped_map() {
  std::vector<std::uint16_t> codes;
  for (int i = 0; i < 600; ++i) {
    codes.push_back(i % 7 == 0 ? 0 : i % 4 == 0 ? 2 : 1);
  }
  return {30, codes, kForestAndWater, true};
}

SamplePlan plan_for(MemoryMap& map, const PlanOptions& options) {
  const std::vector<std::string> names = class_names(map.classes());
  return plan_sample(count_population(map, nullptr).pixels, names, names, options);
}

std::uint16_t code_of(std::int64_t pixel) { return pixel % 7 == 0 ? 0 : pixel % 4 == 0 ? 2 : 1; }

bool operator==(const DrawnPoint& a, const DrawnPoint& b) {
  return a.pixel == b.pixel && a.stratum == b.stratum && a.cluster == b.cluster;
}

}  // namespace

TEST_CASE("the population is counted by stratum and class, without what is in neither") {
  MemoryMap map(2, {1, 2, 0, 1, 1, 2}, kForestAndWater, true);
  MemoryMap strata(2, {5, 5, 5, 9, 0, 9}, {{5, "north", {}}, {9, "south", {}}}, true);
  const Population population = count_population(map, &strata);
  CHECK(population.pixels == (CountMatrix(2, 2) << 1, 1, 1, 1).finished());
  CHECK(population.unclassified == 1);
  CHECK(population.bounds.window() == Window{0, 0, 2, 3});
  MemoryMap framed(4, {0, 0, 0, 0, 0, 1, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0}, kForestAndWater, true);
  CHECK(count_population(framed, nullptr).bounds.window() == Window{1, 1, 2, 2});
  CHECK(population.outside_strata == 1);
}

TEST_CASE("points of strata are different pixels of them, two of each first") {
  MemoryMap map = striped_map();
  const SamplePlan plan = plan_for(map, {.size = 60, .allocation = Allocation::equal, .least = 2});
  const auto points = draw_sample(map, nullptr, plan, {.seed = 3});
  REQUIRE(points.size() == 60);
  std::set<std::int64_t> pixels;
  std::map<Index, int> first;
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(code_of(points[i].pixel) == points[i].stratum + 1);
    const PlannedStratum& stratum = plan.strata[static_cast<std::size_t>(points[i].stratum)];
    CHECK(points[i].probability * static_cast<double>(stratum.pixels) == doctest::Approx(30));
    pixels.insert(points[i].pixel);
    first[points[i].stratum] += i < 4 ? 1 : 0;
  }
  CHECK(pixels.size() == 60);
  CHECK(first == std::map<Index, int>{{0, 2}, {1, 2}});
  // The seed alone decides.
  CHECK(std::ranges::equal(points, draw_sample(map, nullptr, plan, {.seed = 3}),
                           [](auto& a, auto& b) { return a == b; }));
  CHECK(!std::ranges::equal(points, draw_sample(map, nullptr, plan, {.seed = 4}),
                            [](auto& a, auto& b) { return a == b; }));
}

TEST_CASE("every pixel is drawn equally often by simple, systematic and two-stage samples") {
  MemoryMap map = striped_map();
  for (const SamplingDesign design : {SamplingDesign::simple, SamplingDesign::systematic, SamplingDesign::clusters}) {
    CAPTURE(to_string(design));
    const SamplePlan plan = plan_for(map, {.design = design, .size = 60, .cluster_points = 4});
    constexpr int kDraws = 2000;
    std::map<std::int64_t, int> drawn;
    double expected = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      for (const DrawnPoint& point : draw_sample(map, nullptr, plan, {7, 4, static_cast<std::uint64_t>(draw)})) {
        CHECK_UNARY(code_of(point.pixel) != 0);
        ++drawn[point.pixel];
        expected = point.probability * kDraws;
      }
    }
    // Binomial numbers of about 230 have a standard deviation of 15.
    CHECK(drawn.size() == 514);
    for (const auto& [pixel, times] : drawn) {
      CHECK_UNARY(std::abs(times - expected) < 80);
    }
  }
}

TEST_CASE("a systematic sample is planned with as many points as its grid has, which are few more than asked for") {
  MemoryMap map = striped_map();
  for (const std::int64_t size : {3, 17, 22, 40, 100, 300, 514}) {
    CAPTURE(size);
    const SamplePlan plan = plan_for(map, {.design = SamplingDesign::systematic, .size = size});
    CHECK(plan.points() >= size);
    const double cell = 514.0 / static_cast<double>(size);
    CHECK(static_cast<double>(plan.row_step * plan.column_step) > cell - std::sqrt(cell));
    CHECK(plan.points() == 514 / (plan.row_step * plan.column_step));
    for (const DrawnPoint& point : draw_sample(map, nullptr, plan, {.seed = 1})) {
      CHECK(point.probability == 1.0 / static_cast<double>(plan.row_step * plan.column_step));
    }
  }
}

TEST_CASE("a grid has no wider steps than its map, and meets it from every start") {
  for (const Index width : {10, 2000}) {
    MemoryMap map(width, std::vector<std::uint16_t>(20000, 1), kForestAndWater, true);
    const Population population = count_population(map, nullptr);
    const std::vector<std::string> names = class_names(map.classes());
    const SamplePlan plan =
        plan_sample(population.pixels, names, names,
                    {.design = SamplingDesign::systematic, .size = 20, .extent = population.bounds.window()});
    CHECK(plan.row_step == (width == 10 ? 100 : 10));
    CHECK(plan.column_step == (width == 10 ? 10 : 100));
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      CHECK(draw_sample(map, nullptr, plan, {.seed = seed}).size() == 20);
    }
  }
}

TEST_CASE("clusters come one after the other, each from one block") {
  MemoryMap map = striped_map();
  const SamplePlan plan = plan_for(map, {.design = SamplingDesign::clusters, .size = 40, .cluster_points = 5});
  const auto points = draw_sample(map, nullptr, plan, {.block = 10, .block_points = 5, .seed = 1});
  std::map<std::int64_t, std::set<std::int64_t>> blocks;
  std::int64_t last = 1;
  for (const DrawnPoint& point : points) {
    CHECK((point.cluster == last || point.cluster == last + 1));
    last = point.cluster;
    blocks[point.cluster].insert(point.pixel / 30 / 10 * 3 + point.pixel % 30 / 10);
  }
  CHECK(last == plan.clusters);
  for (const auto& [cluster, of_cluster] : blocks) {
    CHECK(of_cluster.size() == 1);
  }
  CHECK_THROWS_AS(draw_sample(map, nullptr, plan_for(map, {.design = SamplingDesign::clusters, .size = 513}), {}),
                  ConfigError);
}

}  // namespace parsimap::test
