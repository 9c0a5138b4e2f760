#include "parsimap/scene/carried_labels.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "parsimap/core/error.hpp"

#include "unit/scene/toy_lookup.hpp"

namespace parsimap::test {
namespace {

using Entry = std::array<std::int64_t, 3>;  // pixel, label, region

std::vector<Entry> entries(const LabelledPixels& labels) {
  std::vector<Entry> list;
  for (const LabelledPixel& label : labels.pixels) {
    list.push_back({label.pixel, label.label, label.region});
  }
  return list;
}

LabelledPixels labels_of_entries(const std::vector<Entry>& list) {
  LabelledPixels labels;
  labels.classes = {{1, "a", {}}, {2, "b", {}}};
  labels.has_regions = true;
  for (const auto& [pixel, label, region] : list) {
    labels.pixels.push_back({pixel, static_cast<int>(label), region});
  }
  return labels;
}

}  // namespace

TEST_CASE("a pixel of the scene has the label of the map's pixels that show it") {
  // Pixel 5 is shown three times, 2 twice, 7 once; the rest of the map shows nothing.
  ToyLookup lookup(4, 2, {5, 5, -1, 2, 7, 5, 2, -1});
  LabelledPixels carried =
      carry_labels(labels_of_entries({{0, 0, 4}, {1, 0, 3}, {2, 1, 9}, {4, 1, 6}, {5, 0, 3}}), lookup);
  CHECK(entries(carried) == std::vector<Entry>{{5, 0, 4}, {7, 1, 6}});
  CHECK(carried.conflicting == 0);
  CHECK(carried.outside == 1);  // region 9; region 3 is shown, where region 4 was first
  CHECK(carried.classes.size() == 2);
}

TEST_CASE("pixels that show different classes are dropped") {
  ToyLookup lookup(4, 2, {5, 5, -1, 2, 7, 5, 2, -1});
  const LabelledPixels carried = carry_labels(labels_of_entries({{0, 0, 1}, {1, 1, 2}, {3, 1, 2}, {6, 1, 3}}), lookup);
  CHECK(entries(carried) == std::vector<Entry>{{2, 1, 2}});
  CHECK(carried.conflicting == 1);
  CHECK(carried.outside == 0);
}

TEST_CASE("labels that the map does not show are refused") {
  ToyLookup lookup(2, 1, {-1, 0});
  CHECK_THROWS_WITH_AS(carry_labels(labels_of_entries({{0, 0, 1}}), lookup),
                       doctest::Contains("no label lies where the map"), DataError);
}

TEST_CASE("carried labels agree with a slow obvious loop") {
  ToyLookup lookup = turned_lookup(30, 20);
  std::vector<Entry> list;
  std::map<std::int64_t, std::set<std::int64_t>> expected;
  for (Index row = 0; row < lookup.grid().height; ++row) {
    for (Index column = 0; column < lookup.grid().width; ++column) {
      if ((row * 7 + column * 3) % 11 < 4) {
        const std::int64_t label = column < 26 ? 0 : 1;
        list.push_back({row * lookup.grid().width + column, label, label});
        if (lookup.shown(column, row) >= 0) {
          expected[lookup.shown(column, row)].insert(label);
        }
      }
    }
  }
  const LabelledPixels carried = carry_labels(labels_of_entries(list), lookup);
  std::int64_t conflicting = 0;
  std::vector<Entry> agreed;
  for (const auto& [pixel, labels] : expected) {
    if (labels.size() > 1) {
      ++conflicting;
    } else {
      agreed.push_back({pixel, *labels.begin(), *labels.begin()});
    }
  }
  CHECK(entries(carried) == agreed);
  CHECK(carried.conflicting == conflicting);
}

}  // namespace parsimap::test
