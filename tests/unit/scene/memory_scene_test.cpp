#include "parsimap/scene/memory_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "unit/scene/plain_scene.hpp"

namespace parsimap::test {
namespace {

// Value 100 * row + 10 * column + band.
ArrayScene numbered_scene() {
  Spectra values(12, 3);
  for (Index pixel = 0; pixel < 12; ++pixel) {
    for (Index band = 0; band < 3; ++band) {
      values(pixel, band) = static_cast<float>(100 * (pixel / 4) + 10 * (pixel % 4) + band);
    }
  }
  return {"numbers", test::grid_of(4, 3), BandTable(3), values};
}

}  // namespace

TEST_CASE("a window of a memory scene is read in row-major order, in the bands asked for") {
  ArrayScene scene = numbered_scene();
  Spectra values;
  scene.read({1, 1, 2, 2}, {2, 0}, values);
  Spectra expected(4, 2);
  expected << 112, 110, 122, 120, 212, 210, 222, 220;
  CHECK(values == expected);
  CHECK(scene.block_width() == 4);
  CHECK(scene.block_height() == 1);
}

TEST_CASE("infinite values of a memory scene are missing") {
  Spectra values(2, 1);
  values << std::numeric_limits<float>::infinity(), 5;
  ArrayScene scene("infinite", test::grid_of(2, 1), BandTable(1), values);
  Spectra read;
  scene.read({0, 0, 2, 1}, {0}, read);
  CHECK(std::isnan(read(0, 0)));
  CHECK(read(1, 0) == 5);
}

TEST_CASE("a memory scene refuses windows outside") {
  ArrayScene scene = numbered_scene();
  Spectra values;
  CHECK_THROWS_AS(scene.read({3, 0, 2, 1}, {0}, values), IoError);
}

TEST_CASE("memory sinks keep what was written, and nothing elsewhere") {
  MemoryClassMapSink map(test::grid_of(3, 2));
  map.write({1, 0, 2, 2}, {1, 2, 3, 4});
  CHECK(map.codes() == std::vector<std::uint16_t>{0, 1, 2, 0, 3, 4});
  CHECK(map.pixels_written() == 4);
  CHECK_FALSE(map.closed());
  map.close();
  CHECK(map.closed());

  MemoryFieldSink field(test::grid_of(2, 1), 2);
  Spectra values(1, 2);
  values << 0.25F, 0.75F;
  field.write({1, 0, 1, 1}, values);
  CHECK(std::isnan(field.values()(0, 0)));
  CHECK(field.values()(1, 1) == 0.75F);
  field.close();
  CHECK(field.closed());
}

TEST_CASE("memory sinks refuse what a file would refuse") {
  MemoryClassMapSink map(test::grid_of(3, 2));
  CHECK_THROWS_AS(map.write({2, 0, 2, 1}, {1, 1}), IoError);
  CHECK_THROWS_AS(map.write({0, 0, 2, 1}, {1}), IoError);
  map.close();
  CHECK_THROWS_AS(map.write({0, 0, 1, 1}, {1}), IoError);
  MemoryFieldSink field(test::grid_of(3, 2), 2);
  CHECK_THROWS_AS(field.write({0, 0, 1, 1}, Spectra::Zero(1, 3)), IoError);
}

namespace {

constexpr Index kArrayWidth = 7;
constexpr Index kArrayHeight = 5;
constexpr Index kArrayBands = 4;

template <typename Scalar>
Scalar value_at(Index column, Index row, Index band) {
  return static_cast<Scalar>(100 * band + 10 * row + column);
}

// Fills memory that has these steps, and compares a window of it.
template <typename Scalar>
void check_steps(std::ptrdiff_t column_step, std::ptrdiff_t row_step, std::ptrdiff_t band_step) {
  std::vector<Scalar> memory(static_cast<std::size_t>(kArrayWidth * kArrayHeight * kArrayBands));
  const auto offset = [&](Index x, Index y, Index b) { return x * column_step + y * row_step + b * band_step; };
  // A negative step begins at the end.
  const std::ptrdiff_t first = std::max<std::ptrdiff_t>(0, -row_step) * (kArrayHeight - 1);
  for (Index b = 0; b < kArrayBands; ++b) {
    for (Index y = 0; y < kArrayHeight; ++y) {
      for (Index x = 0; x < kArrayWidth; ++x) {
        memory[static_cast<std::size_t>(first + offset(x, y, b))] = value_at<Scalar>(x, y, b);
      }
    }
  }
  SceneArray array;
  array.first = static_cast<const Scalar*>(memory.data() + first);
  array.column_step = column_step;
  array.row_step = row_step;
  array.band_step = band_step;
  ArrayScene scene("array", test::grid_of(kArrayWidth, kArrayHeight), BandTable(kArrayBands), array, std::nullopt);
  const Window window{2, 1, 4, 3};
  const Indices bands = {3, 0, 2};
  Spectra values;
  scene.read(window, bands, values);
  REQUIRE(values.rows() == window.pixels());
  for (Index i = 0; i < window.pixels(); ++i) {
    for (std::size_t k = 0; k < bands.size(); ++k) {
      CHECK(values(i, static_cast<Index>(k)) ==
            static_cast<float>(value_at<Scalar>(window.column + i % 4, window.row + i / 4, bands[k])));
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("array scene: any type, order and direction", Scalar, std::uint8_t, std::int16_t, std::uint16_t,
                   std::int32_t, std::int64_t, float, double) {
  check_steps<Scalar>(kArrayBands, kArrayBands * kArrayWidth, 1);    // by pixel
  check_steps<Scalar>(1, kArrayWidth * kArrayBands, kArrayWidth);    // by line
  check_steps<Scalar>(1, kArrayWidth, kArrayWidth * kArrayHeight);   // by band
  check_steps<Scalar>(1, -kArrayWidth, kArrayWidth * kArrayHeight);  // upside down
}

TEST_CASE("array scene: what holds nothing is NaN, what lies outside is refused") {
  std::vector<double> memory = {1, -9999, std::numeric_limits<double>::infinity(), 1e39, 5, 6};
  SceneArray array;
  array.first = static_cast<const double*>(memory.data());
  array.column_step = 1;
  array.row_step = 3;
  array.band_step = 6;
  RasterGrid small;
  small.width = 3;
  small.height = 2;
  ArrayScene scene("my array", small, BandTable(1), array, -9999);
  Spectra values;
  scene.read({0, 0, 3, 2}, {0}, values);
  CHECK(values(0, 0) == 1);
  CHECK(std::isnan(values(1, 0)));
  CHECK(std::isnan(values(2, 0)));
  CHECK(std::isnan(values(3, 0)));
  CHECK(values(5, 0) == 6);
  CHECK_THROWS_AS(scene.read({1, 0, 3, 2}, {0}, values), IoError);
}

}  // namespace parsimap::test
