#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "unit/accuracy/memory_map.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

// Student's 97.5 % quantiles over the normal one, with the root of G / (G - 1), for G = 20, 30 and 400.
const double kStretch20 = 2.0930 / 1.9600 * std::sqrt(20.0 / 19);
const double kStretch30 = 2.0452 / 1.9600 * std::sqrt(30.0 / 29);
const double kStretch400 = 1.9659 / 1.9600 * std::sqrt(400.0 / 399);

// Drawing every region by its index: the definition, but for the stretching.
Interval naive_bootstrap(const std::vector<RegionDifference>& regions, int replicates, double stretch) {
  Random random(99);
  std::vector<double> differences;
  for (int r = 0; r < replicates; ++r) {
    double pixels = 0;
    double difference = 0;
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const auto& drawn = regions[static_cast<std::size_t>(random.index(static_cast<Index>(regions.size())))];
      pixels += static_cast<double>(drawn.pixels);
      difference += static_cast<double>(drawn.difference);
    }
    differences.push_back(difference / pixels);
  }
  std::sort(differences.begin(), differences.end());
  const auto tail = static_cast<std::size_t>(0.025 * replicates);
  double pixels = 0;
  double difference = 0;
  for (const RegionDifference& region : regions) {
    pixels += static_cast<double>(region.pixels);
    difference += static_cast<double>(region.difference);
  }
  const double estimate = difference / pixels;
  return {estimate + stretch * (differences[tail] - estimate),
          estimate + stretch * (differences[differences.size() - 1 - tail] - estimate)};
}

std::vector<RegionDifference> pixels(int better, int worse, int same) {
  std::vector<RegionDifference> all(static_cast<std::size_t>(better), {1, 1});
  all.insert(all.end(), static_cast<std::size_t>(worse), {1, -1});
  all.insert(all.end(), static_cast<std::size_t>(same), {1, 0});
  return all;
}

// Like polygons of a reference: sizes differ, and each has a share of its own of pixels that the maps tell apart.
std::vector<RegionDifference> random_regions(int count, Random& random) {
  std::vector<RegionDifference> regions;
  for (int i = 0; i < count; ++i) {
    const std::int64_t size = 10 + random.index(30);
    const double share = 0.05 + 0.1 * random.normal();
    regions.push_back({size, std::llround(share * static_cast<double>(size))});
  }
  return regions;
}

double share_that_covers(int regions, int samples) {
  Random random(77);
  int covered = 0;
  for (int s = 0; s < samples; ++s) {
    const auto interval = bootstrap_difference(random_regions(regions, random), static_cast<std::uint64_t>(s));
    covered += interval && interval->low <= 0.05 && 0.05 <= interval->high ? 1 : 0;
  }
  return static_cast<double>(covered) / samples;
}

}  // namespace

TEST_CASE("few discordant pixels are a matter of coins") {
  // Two-sided 2 * P(X <= 2) of 10 fair coins: 2 * (1 + 10 + 45) / 1024.
  const McNemarTest few = mcnemar_test({100, 8, 2, 5});
  CHECK(few.exact);
  CHECK(few.p_value == doctest::Approx(112.0 / 1024));
  CHECK(mcnemar_test({100, 2, 8, 5}).p_value == few.p_value);
  CHECK(mcnemar_test({100, 5, 5, 0}).p_value == 1);
  CHECK(mcnemar_test({100, 0, 0, 0}).p_value == 1);
  CHECK(mcnemar_test({0, 6, 0, 0}).p_value == doctest::Approx(2.0 / 64));
}

TEST_CASE("many discordant pixels are chi-square with the continuity correction") {
  // The example of Agresti's approval ratings: 86 and 150 disagree.
  const McNemarTest many = mcnemar_test({794, 150, 86, 570});
  CHECK_FALSE(many.exact);
  CHECK(many.statistic == doctest::Approx(63.0 * 63.0 / 236));
  CHECK(many.p_value == doctest::Approx(std::erfc(std::sqrt(many.statistic / 2))));
  CHECK(many.p_value == doctest::Approx(4.115e-05).epsilon(1e-3));
  CHECK(mcnemar_test({0, 20, 20, 0}).p_value == 1);
}

TEST_CASE("both forms agree where one takes over") {
  const double exact = mcnemar_test({0, 17, 7, 0}).p_value;
  const double approximate = mcnemar_test({0, 18, 7, 0}).p_value;
  CHECK(mcnemar_test({0, 17, 7, 0}).exact);
  CHECK_FALSE(mcnemar_test({0, 18, 7, 0}).exact);
  CHECK(std::abs(exact - approximate) < 0.03);
}

TEST_CASE("intervals of few regions hold the difference as often as they say") {
  for (const int regions : {6, 12, 40}) {
    const double covered = share_that_covers(regions, 400);
    CAPTURE(regions);
    CAPTURE(covered);
    CHECK(covered >= 0.92);
    CHECK(covered <= 0.98);
  }
}

TEST_CASE("the interval of two regions is as long as it can be, not longer") {
  const Interval interval = bootstrap_difference({{10, 9}, {10, -5}}, 0).value();
  CHECK(interval.low == -1);
  CHECK(interval.high == 1);
}

TEST_CASE("drawing kinds of regions is drawing regions") {
  Random random(4);
  std::vector<RegionDifference> polygons;
  for (int i = 0; i < 30; ++i) {
    const std::int64_t size = 1 + random.index(40);
    polygons.push_back({size, random.index(size + 1) - size / 3});
  }
  const std::vector<std::pair<std::vector<RegionDifference>, double>> cases = {{polygons, kStretch30},
                                                                               {pixels(60, 30, 310), kStretch400}};
  for (const auto& [regions, stretch] : cases) {
    const Interval fast = bootstrap_difference(regions, 0).value();
    const Interval naive = naive_bootstrap(regions, 20000, stretch);
    const double width = naive.high - naive.low;
    CHECK(std::abs(fast.low - naive.low) < 0.06 * width);
    CHECK(std::abs(fast.high - naive.high) < 0.06 * width);
  }
}

TEST_CASE("the interval of many pixels is the normal one of the difference") {
  const Interval interval = bootstrap_difference(pixels(600, 300, 9100), 0).value();
  const double error = std::sqrt((0.09 - 0.03 * 0.03) / 10000);
  CHECK(interval.low == doctest::Approx(0.03 - 1.96 * error).epsilon(0.03));
  CHECK(interval.high == doctest::Approx(0.03 + 1.96 * error).epsilon(0.03));
}

TEST_CASE("the same seed gives the same interval, whatever the order") {
  std::vector<RegionDifference> regions = {{5, 3}, {20, -2}, {7, 0}, {5, 3}, {11, 6}, {31, 2}, {17, -5}};
  const auto interval = bootstrap_difference(regions, 0);
  std::reverse(regions.begin(), regions.end());
  CHECK(bootstrap_difference(regions, 0) == interval);
  CHECK_FALSE(bootstrap_difference(regions, 1) == interval);
}

TEST_CASE("polygons that stand or fall as a whole make the interval wider than their pixels would") {
  std::vector<RegionDifference> polygons;
  for (int i = 0; i < 20; ++i) {
    polygons.push_back({25, i < 6 ? 25 : i < 9 ? -25 : 0});
  }
  const Interval whole = bootstrap_difference(polygons, 0).value();
  const Interval single = bootstrap_difference(pixels(150, 75, 275), 0).value();
  CHECK((whole.high - whole.low) / (single.high - single.low) == doctest::Approx(5 * kStretch20).epsilon(0.07));
}

TEST_CASE("a single region, or regions that are all alike, have nothing to draw from") {
  CHECK_FALSE(bootstrap_difference({{10, 4}}, 0));
  CHECK_FALSE(bootstrap_difference({{10, 0}, {7, 0}, {3, 0}}, 0));
}

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

}  // namespace parsimap::test
