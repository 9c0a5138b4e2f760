#include "gdal/pixel_runs.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

using namespace parsimap;

namespace {

std::vector<std::int64_t> owners(const PixelRuns& runs, std::int64_t first, Index count) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count), 0);
  runs.fill(first, count, numbers.data());
  return numbers;
}

}  // namespace

TEST_CASE("a pixel of several shapes belongs to the first one") {
  PixelRuns runs;
  runs.add(1, {5, 4, 6});
  runs.add(2, {3, 4, 5, 6, 7, 7});
  runs.add(3, {6, 7, 8});
  runs.settle();
  CHECK(owners(runs, 0, 10) == std::vector<std::int64_t>{0, 0, 0, 2, 1, 1, 1, 2, 3, 0});
  CHECK(owners(runs, 4, 2) == std::vector<std::int64_t>{1, 1});
  CHECK(owners(runs, 20, 3) == std::vector<std::int64_t>{0, 0, 0});
  CHECK_FALSE(runs.empty());
}

TEST_CASE("no shape, and shapes without pixels") {
  PixelRuns runs;
  runs.add(1, {});
  runs.settle();
  CHECK(runs.empty());
  CHECK(owners(runs, 0, 2) == std::vector<std::int64_t>{0, 0});
}

TEST_CASE("many random shapes have the owners of a slow loop") {
  constexpr Index kPixels = 400;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    PixelRuns runs;
    std::vector<std::int64_t> expected(kPixels, 0);
    for (std::int64_t number = 1; number <= 25; ++number) {
      std::vector<std::int64_t> pixels;
      const Index start = random.index(kPixels);
      for (Index pixel = start; pixel < std::min(kPixels, start + 60); ++pixel) {
        if (random.uniform() < 0.8) {
          pixels.push_back(pixel);
          std::int64_t& owner = expected[static_cast<std::size_t>(pixel)];
          owner = owner == 0 ? number : owner;
        }
      }
      runs.add(number, pixels);
    }
    runs.settle();
    REQUIRE(owners(runs, 0, kPixels) == expected);
  }
}
