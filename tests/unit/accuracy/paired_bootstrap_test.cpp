#include "parsimap/accuracy/paired_bootstrap.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "parsimap/core/random.hpp"

using namespace parsimap;

namespace {

// Drawing every region by its index: the definition.
Interval naive_bootstrap(const std::vector<RegionDifference>& regions, int replicates) {
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
  return {differences[tail], differences[differences.size() - 1 - tail]};
}

std::vector<RegionDifference> pixels(int better, int worse, int same) {
  std::vector<RegionDifference> all(static_cast<std::size_t>(better), {1, 1});
  all.insert(all.end(), static_cast<std::size_t>(worse), {1, -1});
  all.insert(all.end(), static_cast<std::size_t>(same), {1, 0});
  return all;
}

}  // namespace

TEST_CASE("drawing kinds of regions is drawing regions") {
  Random random(4);
  std::vector<RegionDifference> polygons;
  for (int i = 0; i < 30; ++i) {
    const std::int64_t size = 1 + random.index(40);
    polygons.push_back({size, random.index(size + 1) - size / 3});
  }
  for (const auto& regions : {polygons, pixels(60, 30, 310)}) {
    const Interval fast = bootstrap_difference(regions, 0).value();
    const Interval naive = naive_bootstrap(regions, 20000);
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
  CHECK((whole.high - whole.low) / (single.high - single.low) == doctest::Approx(5).epsilon(0.1));
}

TEST_CASE("a single region, or regions that are all alike, have nothing to draw from") {
  CHECK_FALSE(bootstrap_difference({{10, 4}}, 0));
  CHECK_FALSE(bootstrap_difference({{10, 0}, {7, 0}, {3, 0}}, 0));
}
