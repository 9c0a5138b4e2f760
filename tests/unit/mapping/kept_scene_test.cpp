#include "parsimap/mapping/kept_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/random.hpp"

#include "support/memory_scene.hpp"
#include "support/spectra.hpp"

namespace parsimap::test {
namespace {

constexpr Index kKeptWidth = 37;
constexpr Index kKeptHeight = 150;  // more than a tile
constexpr Index kKeptBands = 5;

// Whole numbers times the scale of their band, some of them missing; `fraction` is added to one value.
std::shared_ptr<MemoryScene> stored_scene(double low, float fraction = 0) {
  Random random(5);
  BandTable bands(kKeptBands);
  Spectra values(kKeptWidth * kKeptHeight, kKeptBands);
  for (Index b = 0; b < kKeptBands; ++b) {
    Band& band = bands[static_cast<std::size_t>(b)];
    band.scale = b == 1 ? 0.0001 : 1;
    band.offset = b == 2 ? 10 : 0;
    for (Index i = 0; i < values.rows(); ++i) {
      const double stored = std::round(low + 1000 * random.uniform());
      values(i, b) = static_cast<float>(stored * band.scale + band.offset);
    }
  }
  values.row(40).setConstant(std::numeric_limits<float>::quiet_NaN());
  values(77, 3) += fraction;
  RasterGrid grid;
  grid.width = kKeptWidth;
  grid.height = kKeptHeight;
  return std::make_shared<MemoryScene>("scene", grid, bands, values);
}

}  // namespace

TEST_CASE("what is kept is read bit by bit, in 16 bits where all values are such numbers") {
  struct Case {
    double low;
    float fraction;
    std::int64_t bytes_of_value;
  };
  for (const Case& one : {Case{-500, 0, 2}, Case{40000, 0, 2}, Case{100, 0.25F, 4}, Case{100000, 0, 4}}) {
    CAPTURE(one.low);
    const auto scene = stored_scene(one.low, one.fraction);
    KeptScene kept(scene, {0, 1, 2, 3}, std::int64_t{1} << 30U, 2);
    for (const Index step : {1, 3, 100}) {
      for (const Window& window :
           {Window{0, 0, kKeptWidth, kKeptHeight}, Window{3, 60, 30, 9}, Window{36, 149, 1, 1}}) {
        const Indices bands = {3, 1};
        Spectra whole;
        scene->read(window, bands, whole);
        Spectra expected(0, 2);
        for (Index row = 0; row < window.height; row += step) {
          for (Index column = 0; column < window.width; column += step) {
            expected.conservativeResize(expected.rows() + 1, Eigen::NoChange);
            expected.bottomRows(1) = whole.row(row * window.width + column);
          }
        }
        Spectra values;
        kept.read(window, step, bands, values);
        CHECK(same_values(values, expected));
      }
    }
    // The tile of the changed value decides for itself.
    const std::int64_t least = std::int64_t{kKeptWidth} * kKeptHeight * 4 * 2;
    CHECK(kept.bytes() >= least);
    CHECK(kept.bytes() <= least / 2 * one.bytes_of_value);
  }
}

TEST_CASE("no more is kept than may be, the pixels used last, and other bands are read from the scene") {
  const auto scene = stored_scene(0);
  const std::int64_t tile = std::int64_t{kKeptWidth} * 64 * 4 * 2;
  KeptScene kept(scene, {0, 1, 2, 3}, 2 * tile, 1);
  Spectra values;
  Spectra expected;
  for (const Index row : {0, 70, 140, 0, 70}) {
    kept.read({0, row, kKeptWidth, 2}, {0, 3}, values);
    scene->read({0, row, kKeptWidth, 2}, {0, 3}, expected);
    CHECK(same_values(values, expected));
    CHECK(kept.bytes() <= 2 * tile);
  }
  kept.read({2, 30, 8, 4}, 2, {4, 0}, values);
  scene->read({2, 30, 8, 4}, {4, 0}, expected);
  REQUIRE(values.rows() == 8);
  CHECK(values(5, 0) == expected(2 * 8 + 2, 0));
  const std::int64_t before = kept.bytes();
  kept.peek({0, 64, kKeptWidth, 80}, {0}, values);
  scene->read({0, 64, kKeptWidth, 80}, {0}, expected);
  CHECK(same_values(values, expected));
  CHECK(kept.bytes() == before);
}

}  // namespace parsimap::test
