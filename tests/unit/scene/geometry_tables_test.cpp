#include "parsimap/scene/geometry_tables.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/memory_scene.hpp"

namespace parsimap::test {
namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

RasterGrid map_grid(Index width, Index height) {
  return {width, height, std::array<double, 6>{0, 1, 0, 0, 0, -1}, "", {}};
}

// A lookup of a scene of 3 x 2 pixels from a table in one row.
std::unique_ptr<GeometryLookup> lookup_of(const std::vector<std::array<float, 2>>& entries) {
  Spectra values(static_cast<Index>(entries.size()), 2);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    values.row(static_cast<Index>(i)) << entries[i][0], entries[i][1];
  }
  return table_lookup(std::make_unique<MemoryScene>("table", map_grid(values.rows(), 1), BandTable(2), values), 3, 2);
}

}  // namespace

TEST_CASE("entries of a lookup table count from 1, 0 shows nothing, negative ones fill gaps") {
  const auto lookup = lookup_of({{1, 1}, {3, 2}, {0, 2}, {3, 0}, {kNone, 1}, {2, kNone}, {-2, -2}, {0, 0}});
  CHECK(lookup->name() == "table");
  std::vector<std::int64_t> pixels;
  lookup->read({0, 0, 8, 1}, pixels);
  CHECK(pixels == std::vector<std::int64_t>{0, 5, -1, -1, -1, -1, 4, -1});
  lookup->read({6, 0, 1, 1}, pixels);
  CHECK(pixels == std::vector<std::int64_t>{4});
  CHECK_NOTHROW(lookup->check_unchanged());
}

TEST_CASE("entries outside of the scene, or between pixels, are refused") {
  std::vector<std::int64_t> pixels;
  for (const std::array<float, 2>& wrong :
       {std::array<float, 2>{4, 1}, {1, 3}, {-4, 1}, {1.5F, 1}, {1, -1.5F}, {1e30F, 1}}) {
    const auto lookup = lookup_of({{1, 1}, wrong});
    CHECK_THROWS_WITH_AS(lookup->read({0, 0, 2, 1}, pixels), doctest::Contains("table is wrong at column 1, row 0"),
                         DataError);
  }
}

TEST_CASE("a lookup table has two bands and lies on a map") {
  CHECK_THROWS_WITH_AS(
      table_lookup(std::make_unique<MemoryScene>("t", map_grid(1, 1), BandTable(1), Spectra::Zero(1, 1)), 3, 2),
      doctest::Contains("fewer than two bands"), DataError);
  CHECK_THROWS_WITH_AS(
      table_lookup(std::make_unique<MemoryScene>("t", RasterGrid{1, 1, {}, ""}, BandTable(2), Spectra::Zero(1, 2)), 3,
                   2),
      doctest::Contains("where its pixels lie on the map"), DataError);
}

TEST_CASE("control points are a regular choice of pixel centres with the outermost") {
  const auto positions = [](Index width) {
    return [width](Index row, std::vector<double>& x, std::vector<double>& y) {
      x.resize(static_cast<std::size_t>(width));
      y.resize(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = 10 + static_cast<double>(i);
        y[i] = 50 - static_cast<double>(row);
      }
    };
  };
  const std::vector<ControlPoint> few = control_points(3, 2, positions(3));
  REQUIRE(few.size() == 6);
  CHECK(few.front() == ControlPoint{0.5, 0.5, 10, 50});
  CHECK(few.back() == ControlPoint{2.5, 1.5, 12, 49});
  const std::vector<ControlPoint> many = control_points(1000, 1, positions(1000));
  REQUIRE(many.size() == 20);
  CHECK(many.front().column == 0.5);
  CHECK(many.back().column == 999.5);
  CHECK(control_points(4, 4, [](Index, std::vector<double>& x, std::vector<double>& y) {
          x.assign(4, std::nan(""));
          y.assign(4, 1);
        }).empty());
}

}  // namespace parsimap::test
