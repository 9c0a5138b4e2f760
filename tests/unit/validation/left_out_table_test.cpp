#include "validation/left_out_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "parsimap/core/error.hpp"

namespace parsimap::test {
namespace {

// 120 samples in a row, left out one by one (design 0, the main one), by fives (1) and by sixties (2).
LeftOutResults row_of_samples() {
  LeftOutResults results;
  results.classes = 2;
  results.label_shares = {0.5, 0.5};
  for (int design = 0; design < 3; ++design) {
    for (int i = 0; i < 120; ++i) {
      const int size = design == 0 ? 1 : design == 1 ? 5 : 60;
      const int distance = design == 0 ? 1 : std::min(i % size + 1, size - i % size);
      results.records.push_back({i % 2, 0, {i / size}, i, design, static_cast<double>(distance)});
    }
  }
  return results;
}

}  // namespace

TEST_CASE("the bootstrap draws the units of the coarsest design with twenty units") {
  const LeftOutTable table = left_out_table(row_of_samples(), {});
  CHECK(table.units == 24);
  CHECK(table.support == Support{120, 24});
  CHECK(table.classes == std::vector<Support>{{60, 24}, {60, 24}});
  double records = 0;
  for (const LeftOutCell& cell : table.cells) {
    records += cell.count;
  }
  CHECK(records == 360);
}

TEST_CASE("a main design of few units is not replaced by a finer one") {
  LeftOutResults results = row_of_samples();
  results.main_design = 2;
  CHECK(left_out_table(results, {}).units == 2);
}

TEST_CASE("a sample that the coarsest design lacks counts with its first record") {
  LeftOutResults results;
  results.classes = 1;
  results.label_shares = {1};
  results.records = {{0, 0, {7}, 1, 0, 1}, {0, 0, {7}, 2, 0, 1}, {0, 0, {9}, 3, 1, 2}};
  CHECK(left_out_table(results, {}).units == 2);
}

TEST_CASE("bins cover all distances that five units reach, and have the shares of the map") {
  MapDraw map;
  map.predicted.assign(100, 0);
  for (int i = 0; i < 100; ++i) {
    map.distances.push_back(i < 50 ? 1 : i < 75 ? 3 : 50);
  }
  const LeftOutTable table = left_out_table(row_of_samples(), map);
  REQUIRE(table.by_distance);
  REQUIRE(table.bins.size() >= 2);
  CHECK(table.bins.front().nearest == 0);
  for (std::size_t b = 1; b < table.bins.size(); ++b) {
    CHECK(table.bins[b].nearest == table.bins[b - 1].farthest);
    CHECK(table.bins[b].distance > table.bins[b].nearest);
    CHECK(table.bins[b].support.units >= 10);
  }
  // Left out by sixties, the samples in the middle lie 30 pixels from the others, but no five units reach that.
  CHECK(table.bins.back().farthest < 30);
  CHECK(*table.not_measured == doctest::Approx(0.25));
  CHECK(table.bin_weights(0) == doctest::Approx(2.0 / 3));
  CHECK(table.map_pixels == std::vector<std::int64_t>{75, 0});
}

TEST_CASE("without distances of the main design only its records count") {
  LeftOutResults results = row_of_samples();
  results.records[5].distance = std::numeric_limits<double>::quiet_NaN();
  const LeftOutTable table = left_out_table(results, {});
  CHECK(!table.by_distance);
  CHECK(table.bins.size() == 1);
  CHECK(table.units == 120);
  CHECK(!table.not_measured);
  double records = 0;
  for (const LeftOutCell& cell : table.cells) {
    records += cell.count;
  }
  CHECK(records == 120);
}

TEST_CASE("a map that lies farther than all left-out samples has no shares that were measured") {
  MapDraw map;
  map.predicted = {0, 1};
  map.distances = {500, 600};
  const LeftOutTable table = left_out_table(row_of_samples(), map);
  CHECK(*table.not_measured == 1);
  CHECK(table.map_pixels.empty());
  CHECK(table.bin_weights.tail(1).value() == 1);
}

TEST_CASE("results that do not fit together are refused") {
  LeftOutResults results = row_of_samples();
  results.label_shares.pop_back();
  CHECK_THROWS_AS(left_out_table(results, {}), DataError);
  MapDraw map;
  map.predicted = {0, 1};
  map.unlike = {0.5};
  CHECK_THROWS_AS(left_out_table(row_of_samples(), map), DataError);
  results = row_of_samples();
  results.records[3].predicted = 2;
  CHECK_THROWS_WITH_AS(left_out_table(results, {}), "class 2 of left-out results is none of the 2 classes", DataError);
}

}  // namespace parsimap::test
