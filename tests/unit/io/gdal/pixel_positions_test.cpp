#include "parsimap/io/gdal/pixel_positions.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/crs.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

double distance(const PixelPositions& positions, Index i, Index j) {
  return (positions.points.row(i) - positions.points.row(j)).norm();
}

RasterGrid grid_in(int epsg, double x, double y, double step) {
  return {100, 100, std::array<double, 6>{x, step, 0, y, 0, -step}, crs_from_epsg(epsg)};
}

// Two pixels in a row, and two in a column, one pixel apart; and corners of the grid.
const std::vector<std::int64_t> pixels{5050, 5051, 5150, 0, 99, 9900};

}  // namespace

TEST_CASE("positions are metres where there is a projected CRS, feet included") {
  const PixelPositions utm = pixel_positions(grid_in(32617, 500000, 4000000, 2), pixels);
  CHECK(utm.metres);
  CHECK(utm.points(0, 0) == 500000 + 101);
  CHECK(utm.points(0, 1) == 4000000 - 101);
  CHECK(distance(utm, 0, 1) == doctest::Approx(2));
  // EPSG:2263, New York Long Island, US survey feet.
  const PixelPositions feet = pixel_positions(grid_in(2263, 980000, 190000, 10), pixels);
  CHECK(feet.metres);
  CHECK(distance(feet, 0, 2) == doctest::Approx(10 * 1200.0 / 3937.0));
}

TEST_CASE("degrees become metres on the ellipsoid") {
  const double latitude = 50;
  const PixelPositions degrees = pixel_positions(grid_in(4326, 8, latitude + 0.005, 0.0001), pixels);
  CHECK(degrees.metres);
  // Radii of curvature of WGS 84.
  const double radians = std::acos(-1.0) / 180;
  const double e2 = 0.00669437999014;
  const double w = std::sqrt(1 - e2 * std::pow(std::sin(latitude * radians), 2));
  const double east = 6378137 / w * std::cos(latitude * radians) * 0.0001 * radians;
  const double north = 6378137 * (1 - e2) / (w * w * w) * 0.0001 * radians;
  CHECK(distance(degrees, 0, 1) == doctest::Approx(east).epsilon(1e-4));
  CHECK(distance(degrees, 0, 2) == doctest::Approx(north).epsilon(1e-4));
  CHECK(distance(degrees, 3, 4) == doctest::Approx(99 * east).epsilon(1e-3));
  CHECK(distance(degrees, 3, 5) == doctest::Approx(99 * north).epsilon(1e-3));
}

TEST_CASE("without a CRS positions are columns and rows") {
  RasterGrid grid = grid_in(32617, 500000, 4000000, 2);
  grid.crs.clear();
  for (int pass = 0; pass < 2; ++pass) {
    const PixelPositions positions = pixel_positions(grid, pixels);
    CHECK_FALSE(positions.metres);
    CHECK(positions.points.row(1) == Eigen::RowVector2d(51, 50));
    grid.geotransform.reset();
  }
}

TEST_CASE("a CRS without distances on a plane is refused") {
  // EPSG:4978, geocentric.
  CHECK(contains(message_of<DataError>([] { pixel_positions(grid_in(4978, 0, 0, 1), {0}); }), "cannot be measured"));
}
