#include "parsimap/gdal/raster/georeference.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/scene.hpp"

#include "gdal/raster/dataset.hpp"
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
const std::vector<std::int64_t> kPixels{5050, 5051, 5150, 0, 99, 9900};

}  // namespace

TEST_CASE("a code gives the reference system it names") {
  CHECK(crs_title(crs_from_epsg(32617)) == "EPSG:32617 (WGS 84 / UTM zone 17N)");
  CHECK(crs_title(crs_from_epsg(4326)) == "EPSG:4326 (WGS 84)");
  CHECK(same_crs(crs_from_epsg(32617), wkt(32617)));
  CHECK_FALSE(same_crs(crs_from_epsg(32617), crs_from_epsg(32618)));
}

TEST_CASE("the text is the one a scene with that reference system has") {
  const TemporaryFolder folder;
  georeference(*create_raster(folder.file("a.tif"), 2, 2, 1, GDT_Byte), utm_grid(2, 2));
  CHECK(open_scene(folder.file("a.tif")).source->grid().crs == crs_from_epsg(32617));
}

TEST_CASE("an unknown code is refused with GDAL's words") {
  for (const int code : {999999, 0, -1}) {
    const std::string message = message_of<ConfigError>([&] { crs_from_epsg(code); });
    CAPTURE(message);
    CHECK(message.starts_with(std::to_string(code) + " is not the EPSG code of a coordinate reference system: "));
  }
  CHECK(contains(message_of<ConfigError>([] { crs_from_epsg(999999); }), "not found"));
}

TEST_CASE("pixels have an area in metres where the reference system has lengths") {
  RasterGrid grid = utm_grid(10, 10);
  CHECK(pixel_area(grid) == 1.0);
  grid.geotransform = {0, 3, 4, 0, 4, -3};  // turned
  CHECK(pixel_area(grid) == 25.0);
  grid.crs = crs_from_epsg(2249);  // US survey feet, Massachusetts
  grid.geotransform = {700000, 3, 4, 2900000, 4, -3};
  CHECK(*pixel_area(grid) == doctest::Approx(25 * 0.3048006096 * 0.3048006096));
  grid.crs = crs_from_epsg(4326);
  CHECK_FALSE(pixel_area(grid));
  grid.crs.clear();
  CHECK_FALSE(pixel_area(grid));
  CHECK_FALSE(pixel_area({10, 10, std::nullopt, wkt(32617)}));
}

TEST_CASE("areas and distances in Web Mercator are those on the ellipsoid") {
  constexpr double kRadius = 6378137;
  constexpr double kE2 = 0.00669437999014;
  const double radians = std::acos(-1.0) / 180;
  for (const double latitude : {0.0, 50.0, -70.0}) {
    // A metre of the map is cos(latitude) / R radians of latitude, and 1 / R of longitude. Radii of curvature of
    // WGS 84.
    const double w = std::sqrt(1 - kE2 * std::pow(std::sin(latitude * radians), 2));
    const double cosine = std::cos(latitude * radians);
    const double east = cosine / w;
    const double north = (1 - kE2) / (w * w * w) * cosine;
    const double y = kRadius * std::log(std::tan((45 + latitude / 2) * radians));
    const RasterGrid grid = grid_in(3857, 900000, y + 50 * 10, 10);
    CHECK(*pixel_area(grid) == doctest::Approx(100 * east * north).epsilon(1e-6));
    CHECK(*pixel_metres(grid) == doctest::Approx(10 * std::sqrt(east * north)).epsilon(1e-5));
    const PixelPositions positions = pixel_positions(grid, kPixels);
    CHECK(positions.metres);
    CHECK(distance(positions, 0, 1) == doctest::Approx(10 * east).epsilon(1e-4));
    CHECK(distance(positions, 3, 5) == doctest::Approx(990 * north).epsilon(1e-3));
    const PixelPositions both = pixel_positions({{grid, kPixels}, {grid, kPixels}}, 0);
    CHECK(distance(both, 0, 2) == doctest::Approx(10 * north).epsilon(1e-4));
  }
  // Over a degree of latitude pixels are too different, and so they are in degrees.
  CHECK_FALSE(pixel_area(grid_in(3857, 900000, 6446275, 3000)));
  CHECK_FALSE(pixel_area(grid_in(4326, 8, 50, 0.02)));
  // A sinusoidal projection has true areas and no true distances.
  OGRSpatialReference sinusoidal;
  sinusoidal.SetProjCS("sinusoidal");
  sinusoidal.SetWellKnownGeogCS("WGS84");
  sinusoidal.SetSinusoidal(0, 0, 0);
  RasterGrid far = grid_in(4326, 5000000, 5500000, 10);
  far.crs = wkt_of(&sinusoidal);
  CHECK(*pixel_area(far) == doctest::Approx(100).epsilon(1e-4));
  CHECK(std::abs(distance(pixel_positions(far, kPixels), 0, 2) - 10) > 1);
}

TEST_CASE("pixels of several grids lie in the same cells where they show the same ground") {
  const RasterGrid grid = grid_in(32633, 500000, 5540000, 4);
  RasterGrid fine = grid_in(32633, 500000 + 200, 5540000 - 200, 2);
  RasterGrid nowhere = grid;
  nowhere.crs.clear();
  Matrix corner(1, 2);
  corner << 500202, 5539798;  // the middle of a pixel of the first grid
  transform_points(crs_from_epsg(32633), crs_from_epsg(4326), corner);
  const RasterGrid degrees = grid_in(4326, corner(0, 0) - 1e-5, corner(0, 1) + 1e-5, 2e-5);
  const std::vector<std::optional<GroundCell>> cells =
      ground_cells({{grid, {5050, 5051, -1}}, {fine, {0, 101, 2}}, {degrees, {0}}, {nowhere, {5050}}});
  CHECK(cells[0] != cells[1]);
  CHECK_FALSE(cells[2]);
  CHECK(cells[3] == cells[0]);
  CHECK(cells[4] == cells[0]);
  CHECK(cells[5] == cells[1]);
  CHECK(cells[6] == cells[0]);
  CHECK_FALSE(cells[7]);
}

TEST_CASE("pixels are found on another grid by their centres, each once, and outside of it not at all") {
  const RasterGrid fine = utm_grid(4, 4);
  RasterGrid coarse = utm_grid(2, 1);
  for (const std::size_t i : {1U, 5U}) {
    (*coarse.geotransform)[i] *= 2;
  }
  CHECK(pixels_on_grid(fine, {7, 0, 1, 5, 12}, coarse) == std::vector<std::int64_t>{0, 1});
  CHECK(pixels_on_grid(coarse, {1}, fine).size() == 1);
}

TEST_CASE("grids lie on each other, or not, in what both know") {
  const RasterGrid grid = utm_grid(12, 9);
  const auto refusal = [&](const RasterGrid& own) {
    return message_of<DataError>([&] { check_same_grid(own, "mask.tif", grid, "s.tif", "a mask must fit"); });
  };
  CHECK_NOTHROW(check_same_grid(grid, "mask.tif", grid, "s.tif", ""));
  RasterGrid unknown;
  unknown.width = 12;
  unknown.height = 9;
  CHECK_NOTHROW(check_same_grid(unknown, "mask.tif", grid, "s.tif", ""));
  RasterGrid nearly = grid;
  (*nearly.geotransform)[0] += 1e-4 * (*grid.geotransform)[1];
  CHECK_NOTHROW(check_same_grid(nearly, "mask.tif", grid, "s.tif", ""));

  CHECK(refusal(utm_grid(9, 12)) == "mask.tif is 9 x 12 pixels, but s.tif is 12 x 9; a mask must fit");
  (*nearly.geotransform)[0] += (*grid.geotransform)[1];
  CHECK(contains(refusal(nearly), "mask.tif has origin ("));
  CHECK(contains(refusal(nearly), "; a mask must fit"));
  RasterGrid turned = grid;
  (*turned.geotransform)[1] = (*turned.geotransform)[2] = (*turned.geotransform)[4] = 1;
  (*turned.geotransform)[5] = -1;
  CHECK(contains(refusal(turned), ", turned by 45 degrees, but s.tif has"));
}

TEST_CASE("positions are metres where there is a projected CRS, feet included") {
  const PixelPositions utm = pixel_positions(grid_in(32617, 500000, 4000000, 2), kPixels);
  CHECK(utm.metres);
  CHECK(utm.points(0, 0) == 500000 + 101);
  CHECK(utm.points(0, 1) == 4000000 - 101);
  CHECK(distance(utm, 0, 1) == doctest::Approx(2));
  // EPSG:2263, New York Long Island, US survey feet.
  const PixelPositions feet = pixel_positions(grid_in(2263, 980000, 190000, 10), kPixels);
  CHECK(feet.metres);
  CHECK(distance(feet, 0, 2) == doctest::Approx(10 * 1200.0 / 3937.0));
}

TEST_CASE("degrees become metres on the ellipsoid") {
  const double latitude = 50;
  const PixelPositions degrees = pixel_positions(grid_in(4326, 8, latitude + 0.005, 0.0001), kPixels);
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

TEST_CASE("beyond the limb of a geostationary view the lengths are those of the map") {
  const std::string crs = crs_from_text("+proj=geos +h=35785831 +lon_0=0 +datum=WGS84");
  const RasterGrid corner{60, 48, std::array<double, 6>{-5.57e6, 50000, 0, 5.57e6, 0, -50000}, crs};
  CHECK(*pixel_metres(corner) == doctest::Approx(50000));
  const PixelPositions positions = pixel_positions(corner, {0, 1, 2879});
  CHECK(positions.metres);
  CHECK(distance(positions, 0, 1) == doctest::Approx(50000));
  // Where the middle is on the earth, pixels away from below the satellite are wider than on the map.
  const RasterGrid inside{60, 48, std::array<double, 6>{-4e6, 50000, 0, 4e6, 0, -50000}, crs};
  CHECK(*pixel_metres(inside) > 60000);
}

TEST_CASE("without a CRS positions are columns and rows") {
  RasterGrid grid = grid_in(32617, 500000, 4000000, 2);
  grid.crs.clear();
  for (int pass = 0; pass < 2; ++pass) {
    const PixelPositions positions = pixel_positions(grid, kPixels);
    CHECK_FALSE(positions.metres);
    CHECK(positions.points.row(1) == Eigen::RowVector2d(51, 50));
    grid.geotransform.reset();
  }
}

TEST_CASE("a pixel is as wide as a square of its area in the middle of the grid") {
  CHECK(*pixel_metres(grid_in(32617, 500000, 4000000, 2)) == doctest::Approx(2));
  RasterGrid oblong = grid_in(32617, 500000, 4000000, 2);
  oblong.geotransform = {500000, 8, 0, 4000000, 0, -2};
  CHECK(*pixel_metres(oblong) == doctest::Approx(4));
  oblong.height = 1;
  CHECK(*pixel_metres(oblong) == doctest::Approx(8));
  oblong.width = 1;
  CHECK_FALSE(pixel_metres(oblong));
  const double equator = *pixel_metres(grid_in(4326, 8, 0.005, 0.0001));
  CHECK(equator == doctest::Approx(11.1).epsilon(0.01));
  CHECK(*pixel_metres(grid_in(4326, 8, 60.005, 0.0001)) == doctest::Approx(equator * std::sqrt(0.5)).epsilon(0.01));
  oblong.crs.clear();
  CHECK_FALSE(pixel_metres(oblong));
}

TEST_CASE("a CRS without distances on a plane is refused") {
  // EPSG:4978, geocentric.
  CHECK(contains(message_of<DataError>([] { pixel_positions(grid_in(4978, 0, 0, 1), {0}); }), "cannot be measured"));
}

TEST_CASE("pixels of several grids lie on one plane") {
  // The same ground in one reference system, from another origin: pixel (2, 1) of the one is (0, 0) of the other.
  const RasterGrid first = grid_in(32633, 500000, 4000000, 10);
  const RasterGrid second = grid_in(32633, 500020, 3999990, 10);
  const PixelPositions same = pixel_positions({{first, {102, 103}}, {second, {0, 1}}}, 0);
  CHECK(same.metres);
  REQUIRE(same.points.rows() == 4);
  CHECK(distance(same, 0, 2) == 0);
  CHECK(distance(same, 0, 3) == 10);
  CHECK(same.points.topRows(2) == pixel_positions(first, {102, 103}).points);

  // Degrees beside metres: the centres of these pixels are the same place.
  Matrix place(1, 2);
  place << 500005, 3999995;
  transform_points(crs_from_epsg(32633), crs_from_epsg(4326), place);
  const RasterGrid degrees = grid_in(4326, place(0, 0) - 0.00005, place(0, 1) + 0.00005, 0.0001);
  const PixelPositions mixed = pixel_positions({{first, {0, 99}}, {degrees, {0}}}, 0);
  CHECK(mixed.metres);
  CHECK(distance(mixed, 0, 2) < 0.01);
  CHECK(distance(mixed, 0, 1) == doctest::Approx(990).epsilon(1e-3));

  // A grid that lies nowhere is far from the others.
  RasterGrid nowhere = second;
  nowhere.crs.clear();
  const PixelPositions apart = pixel_positions({{first, {9900}}, {nowhere, {0}}}, 7);
  CHECK_FALSE(apart.metres);
  CHECK(distance(apart, 0, 1) >= 7);
}

TEST_CASE("points are brought from one reference system to another") {
  Matrix points(2, 2);
  points << 15, 0, 15, 50;
  const Matrix before = points;
  transform_points("", crs_from_epsg(4326), points);
  transform_points(crs_from_epsg(4326), crs_from_epsg(4326), points);
  CHECK(points == before);
  transform_points(crs_from_epsg(4326), crs_from_epsg(32633), points);
  CHECK(points(0, 0) == doctest::Approx(500000));
  CHECK(std::abs(points(0, 1)) < 1e-6);
  transform_points(crs_from_epsg(32633), crs_from_epsg(4326), points);
  CHECK((points - before).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("a grid in words: its reference system, and its pixels with their unit") {
  const GridText metres = grid_text(grid_in(32617, 0, 0, 30));
  CHECK(metres.crs == "EPSG:32617 (WGS 84 / UTM zone 17N)");
  CHECK(metres.pixel_size == "30 x 30 metre");
  CHECK(grid_text(grid_in(4326, 0, 0, 0.25)).pixel_size == "0.25 x 0.25 degree");
  RasterGrid unknown;
  unknown.geotransform = std::array<double, 6>{0, 2, 0, 0, 0, -3};
  CHECK(grid_text(unknown).crs == "no CRS");
  CHECK(grid_text(unknown).pixel_size == "2 x 3");
  unknown.geotransform.reset();
  CHECK(grid_text(unknown).pixel_size.empty());
}
