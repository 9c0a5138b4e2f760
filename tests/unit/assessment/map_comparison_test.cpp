#include "parsimap/assessment/map_comparison.hpp"

#include <doctest/doctest.h>

#include "parsimap/accuracy/paired_test.hpp"
#include "parsimap/core/error.hpp"

#include "unit/assessment/memory_map.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap {
namespace {

using test::kForestAndWater;
using test::MemoryMap;
using test::reference;

const ClassTable kTurned = {{1, "water", {}}, {2, "forest", {}}};

MapComparison compare_with(MemoryMap& first, MemoryMap& second, const LabelledPixels& labels) {
  return compare_maps(first, compare(first, labels, "labels"), second, labels, "labels");
}

}  // namespace

TEST_CASE("pixels are counted by which map is right, whatever its codes, and pairs with a hole are left out") {
  MemoryMap first(4, {1, 1, 2, 2, 1, 1, 0, 2}, kForestAndWater, true);
  MemoryMap second(4, {2, 1, 1, 2, 1, 0, 2, 1}, kTurned, true);
  const LabelledPixels labels = reference(
      kForestAndWater, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 1, 0}, {4, 1, 0}, {5, 0, 0}, {6, 0, 0}, {7, 1, 0}}, true);
  const MapComparison record = compare_with(first, second, labels);
  CHECK(record.counts.both_right == 2);   // 0 and 7
  CHECK(record.counts.first_only == 2);   // 1 and 3
  CHECK(record.counts.second_only == 1);  // 4
  CHECK(record.counts.both_wrong == 1);   // 2
  CHECK(record.unclassified_pixels == 2);
  CHECK(record.test.exact);
  CHECK(record.test.p_value == 1);
  CHECK_FALSE(record.regions);
  CHECK(record.difference == bootstrap_difference({{1, 1}, {1, 1}, {1, -1}, {1, 0}, {1, 0}, {1, 0}}, 0));
}

TEST_CASE("features are drawn as wholes") {
  std::vector<std::uint16_t> codes(40, 1);
  MemoryMap first(10, codes, kForestAndWater, true);
  std::fill(codes.begin(), codes.begin() + 10, 2);
  MemoryMap second(10, codes, kForestAndWater, true);
  std::vector<LabelledPixel> pixels;
  for (std::int64_t i = 0; i < 40; ++i) {
    pixels.push_back({i, 0, i / 10 + 1});
  }
  const MapComparison record = compare_with(first, second, reference(kForestAndWater, pixels, true));
  CHECK(record.regions == 4);
  CHECK(record.difference == bootstrap_difference({{10, 10}, {10, 0}, {10, 0}, {10, 0}}, 0));
  // Four features do not tell the maps apart, however many pixels they have.
  CHECK(record.difference->low < 0);
  CHECK(record.difference->high >= 0.5);
}

TEST_CASE("maps without a common pixel cannot be compared") {
  MemoryMap first(2, {1, 1, 0, 0}, kForestAndWater, true);
  MemoryMap holes(2, {0, 0, 1, 1}, kForestAndWater, true, "holes.tif");
  const LabelledPixels labels = reference(kForestAndWater, {{0, 0, 0}, {2, 0, 0}}, true);
  CHECK(message_of([&] { compare_with(first, holes, labels); }) ==
        "map.tif and holes.tif have no reference pixel that both classify; there is nothing to compare");
}

}  // namespace parsimap
