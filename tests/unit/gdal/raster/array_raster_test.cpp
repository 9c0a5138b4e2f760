#include "parsimap/gdal/raster/array_raster.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/scene.hpp"

#include "support/scene_values.hpp"

namespace parsimap {
namespace {

using test::values_of;

// 3 columns, 2 rows and 2 bands, whose values are 100 * band + 10 * row + column.
template <typename Value>
std::vector<Value> values_in_order(std::ptrdiff_t column_step, std::ptrdiff_t row_step, std::ptrdiff_t band_step) {
  std::vector<Value> values(12);
  for (std::ptrdiff_t band = 0; band < 2; ++band) {
    for (std::ptrdiff_t row = 0; row < 2; ++row) {
      for (std::ptrdiff_t column = 0; column < 3; ++column) {
        values[static_cast<std::size_t>(band * band_step + row * row_step + column * column_step)] =
            static_cast<Value>(100 * band + 10 * row + column);
      }
    }
  }
  return values;
}

ArrayFacts facts_of_two_bands() {
  ArrayFacts facts;
  facts.grid = {3, 2, std::nullopt, ""};
  facts.bands.resize(2);
  return facts;
}

template <typename Value>
void check_order(std::ptrdiff_t column_step, std::ptrdiff_t row_step, std::ptrdiff_t band_step) {
  const std::vector<Value> values = values_in_order<Value>(column_step, row_step, band_step);
  const ArrayRaster raster("scene array", facts_of_two_bands(), {values.data(), column_step, row_step, band_step});
  const Spectra read = values_of(raster.path());
  REQUIRE(read.rows() == 6);
  for (Index pixel = 0; pixel < 6; ++pixel) {
    for (Index band = 0; band < 2; ++band) {
      CHECK(read(pixel, band) == static_cast<float>(100 * band + 10 * (pixel / 3) + pixel % 3));
    }
  }
}

}  // namespace

TEST_CASE("an array of any type and order is read where it is") {
  check_order<std::uint8_t>(2, 6, 1);
  check_order<std::int16_t>(1, 3, 6);
  check_order<std::uint16_t>(1, 6, 3);
  check_order<std::int32_t>(4, 2, 1);
  check_order<std::uint32_t>(2, 6, 1);
  check_order<std::int64_t>(2, 6, 1);
  check_order<std::uint64_t>(1, 3, 6);
  check_order<float>(2, 6, 1);
  check_order<double>(2, 1, 6);
  // Not a copy: what changes in the array changes in the raster.
  std::vector<float> values = values_in_order<float>(2, 6, 1);
  const ArrayRaster raster("scene array", facts_of_two_bands(), {values.data(), 2, 6, 1});
  const OpenScene scene = open_scene(raster.path());
  values[3] = -5;
  Spectra read;
  scene.source->read({1, 0, 1, 1}, {1}, read);
  CHECK(read(0, 0) == -5);
  CHECK(scene.description.bytes == 0);
}

TEST_CASE("a step from a single value may be anything") {
  const std::vector<double> values = {1, 2, 3};
  ArrayFacts facts = facts_of_two_bands();
  facts.grid.height = 1;
  facts.bands.resize(1);
  const ArrayRaster raster("scene array", facts, {values.data(), 1, -7, 0});
  CHECK(values_of(raster.path())(2, 0) == 3);
}

TEST_CASE("what is known of an array is known of its raster") {
  const std::vector<float> values = values_in_order<float>(2, 6, 1);
  ArrayFacts facts = facts_of_two_bands();
  facts.grid.geotransform = std::array<double, 6>{1000, 2, 0, 500, 0, -2};
  facts.grid.crs = crs_from_epsg(32631);
  facts.bands[0] = {"green & blue", 550.25, false, 0.5, 3, 10};
  facts.bands[1].bad = true;
  facts.nodata = 11;
  const ArrayRaster raster("scene array", facts, {values.data(), 2, 6, 1});
  const OpenScene scene = open_scene(raster.path());
  CHECK(scene.source->grid().geotransform == facts.grid.geotransform);
  CHECK(grid_difference(scene.source->grid(), "a", facts.grid, "b").empty());
  CHECK(scene.source->bands() == facts.bands);
  const Spectra read = values_of(raster.path());
  CHECK(read(1, 0) == 0.5F * 1 + 3);
  CHECK(std::isnan(read(4, 0)));
  CHECK(read(4, 1) == 111);
}

TEST_CASE("labels keep the names of their classes, and two arrays may have one name") {
  const std::vector<std::uint16_t> codes = {0, 1, 300, 1, 0, 1};
  ArrayFacts facts = facts_of_two_bands();
  facts.bands.resize(1);
  const ArrayRaster plain("labels array", facts, {codes.data(), 1, 3, 1});
  facts.classes = {{1, "water", {}}, {300, "forest", {}}};
  const ArrayRaster named("labels array", facts, {codes.data(), 1, 3, 1});
  CHECK(plain.path() != named.path());
  CHECK_FALSE(open_class_map(plain.path())->has_names());
  const auto map = open_class_map(named.path());
  REQUIRE(map->classes().size() == 2);
  CHECK(map->classes()[1].name == "forest");
  CHECK(map->classes()[1].code == 300);
}

TEST_CASE("a raster goes with its object") {
  const std::vector<float> values(12);
  std::string path;
  {
    const ArrayRaster raster("scene array", facts_of_two_bands(), {values.data(), 2, 6, 1});
    path = raster.path();
    CHECK(path.ends_with("/scene array"));
  }
  CHECK_THROWS_AS(open_scene(path), DataError);
}

TEST_CASE("arrays that cannot be rasters") {
  const std::vector<std::int8_t> values(12);
  CHECK_THROWS_WITH_AS(ArrayRaster("scene array", facts_of_two_bands(), {values.data(), 2, 6, 1}),
                       doctest::Contains("the scene array holds integers of 8 bits with a sign"), DataError);
  ArrayFacts empty = facts_of_two_bands();
  empty.grid.height = 0;
  const std::vector<float> none(1);
  CHECK_THROWS_WITH_AS(ArrayRaster("mask array", empty, {none.data(), 2, 6, 1}),
                       "the mask array is empty: it has 0 rows, 3 columns and 2 bands", DataError);
  empty.grid.height = std::int64_t{1} << 40;
  CHECK_THROWS_WITH_AS(ArrayRaster("mask array", empty, {none.data(), 2, 6, 1}), doctest::Contains("too large"),
                       DataError);
}

}  // namespace parsimap
