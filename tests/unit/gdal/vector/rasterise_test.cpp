#include "gdal/vector/rasterise.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {

namespace {

using Ring = std::vector<std::pair<double, double>>;

OGRPolygon polygon_of(const std::vector<Ring>& rings) {
  OGRPolygon polygon;
  for (const Ring& corners : rings) {
    OGRLinearRing ring;
    for (const auto& [x, y] : corners) {
      ring.addPoint(x, y);
    }
    ring.closeRings();
    polygon.addRing(&ring);
  }
  return polygon;
}

// Crossing number of a ray to the right, over all rings.
bool inside(const std::vector<Ring>& rings, double x, double y) {
  bool in = false;
  for (const Ring& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const auto& [x1, y1] = ring[i];
      const auto& [x2, y2] = ring[(i + 1) % ring.size()];
      if ((y1 > y) != (y2 > y) && x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)) {
        in = !in;
      }
    }
  }
  return in;
}

std::set<std::int64_t> oracle(const RasterGrid& grid, const std::vector<Ring>& rings) {
  const std::array<double, 6> g = grid.geotransform.value_or(std::array<double, 6>{0, 1, 0, 0, 0, 1});
  std::set<std::int64_t> pixels;
  for (Index row = 0; row < grid.height; ++row) {
    for (Index column = 0; column < grid.width; ++column) {
      const double c = static_cast<double>(column) + 0.5;
      const double r = static_cast<double>(row) + 0.5;
      if (inside(rings, g[0] + c * g[1] + r * g[2], g[3] + c * g[4] + r * g[5])) {
        pixels.insert(row * grid.width + column);
      }
    }
  }
  return pixels;
}

std::set<std::int64_t> rasterised_pixels(const RasterGrid& grid, const OGRGeometry& geometry) {
  const std::vector<std::int64_t> pixels = Rasteriser(grid).pixels_of(geometry);
  return {pixels.begin(), pixels.end()};
}

std::set<std::int64_t> pixels_of_wkt(const RasterGrid& grid, const char* text) {
  OGRGeometry* geometry = nullptr;
  REQUIRE(OGRGeometryFactory::createFromWkt(text, nullptr, &geometry) == OGRERR_NONE);
  const std::unique_ptr<OGRGeometry> owner(geometry);
  return rasterised_pixels(grid, *owner);
}

}  // namespace

TEST_CASE("a polygon owns the pixels whose centre lies in it") {
  initialise_gdal();
  const RasterGrid plain{40, 30, std::nullopt, ""};
  const RasterGrid north_up{40, 30, std::array<double, 6>{500, 2, 0, 900, 0, -2}, ""};
  const RasterGrid rotated{40, 30, std::array<double, 6>{500, 1.7, 0.6, 900, 0.5, -1.6}, ""};
  for (const RasterGrid& grid : {plain, north_up, rotated}) {
    const std::array<double, 6> g = grid.geotransform.value_or(std::array<double, 6>{0, 1, 0, 0, 0, 1});
    for (int shape = 0; shape < 60; ++shape) {
      // A star with a hole, of a place, size and number of corners that differ from shape to shape; some overlap the
      // edge.
      const double centre_column = 3 + 34 * std::fmod(shape * 0.618, 1);
      const double centre_row = 2 + 26 * std::fmod(shape * 0.414, 1);
      const double radius = 0.4 + 9 * std::fmod(shape * 0.271, 1);
      const int corners = 3 + shape % 9;
      const auto ring = [&](double scale) {
        Ring points;
        for (int i = 0; i < corners; ++i) {
          const double angle = 0.1 + shape + 6.283185307 * i / corners;
          const double length = scale * radius * (i % 2 == 0 ? 1 : 0.6);
          const double c = centre_column + length * std::cos(angle);
          const double r = centre_row + length * std::sin(angle);
          points.emplace_back(g[0] + c * g[1] + r * g[2], g[3] + c * g[4] + r * g[5]);
        }
        return points;
      };
      const std::vector<Ring> rings{ring(1), ring(0.4)};
      CAPTURE(shape);
      CHECK(rasterised_pixels(grid, polygon_of(rings)) == oracle(grid, rings));
    }
  }
}

TEST_CASE("a polygon larger than one strip is the same as by the oracle") {
  initialise_gdal();
  const RasterGrid grid{3000, 2500, std::nullopt, ""};
  const std::vector<Ring> rings{{{-10.3, 3.2}, {2990.7, 40.1}, {2801.9, 2499.3}, {1500.2, 1200.8}, {30.6, 2600.4}}};
  const std::vector<std::int64_t> pixels = Rasteriser(grid).pixels_of(polygon_of(rings));
  const std::set<std::int64_t> expected = oracle(grid, rings);
  CHECK(std::is_sorted(pixels.begin(), pixels.end()));
  CHECK(std::equal(pixels.begin(), pixels.end(), expected.begin(), expected.end()));
}

TEST_CASE("points own the pixel that contains them") {
  initialise_gdal();
  const RasterGrid grid{10, 10, std::array<double, 6>{100, 1, 0, 200, 0, -1}, ""};
  CHECK(pixels_of_wkt(grid, "POINT (103.99 198.01)") == std::set<std::int64_t>{13});
  CHECK(pixels_of_wkt(grid, "POINT (100 200)") == std::set<std::int64_t>{0});
  CHECK(pixels_of_wkt(grid, "POINT (110 195)").empty());
  CHECK(pixels_of_wkt(grid, "POINT (99.9 195)").empty());
  CHECK(pixels_of_wkt(grid, "POINT EMPTY").empty());
  CHECK(pixels_of_wkt(grid, "MULTIPOINT (100.5 199.5, 101.5 198.5, 500 500)") == std::set<std::int64_t>{0, 11});
}

TEST_CASE("lines, collections and overlapping parts") {
  initialise_gdal();
  const RasterGrid grid{6, 4, std::nullopt, ""};
  CHECK(pixels_of_wkt(grid, "LINESTRING (0.5 1.5, 4.5 1.5)") == std::set<std::int64_t>{6, 7, 8, 9, 10});
  CHECK(pixels_of_wkt(grid, "GEOMETRYCOLLECTION (POINT (0.5 0.5), LINESTRING (5.5 2.5, 5.5 3.5))") ==
        std::set<std::int64_t>{0, 17, 23});
  // By the even-odd rule the common part would be lost.
  CHECK(pixels_of_wkt(grid, "MULTIPOLYGON (((0 0, 2 0, 2 1, 0 1, 0 0)), ((1 0, 3 0, 3 1, 1 1, 1 0)))") ==
        std::set<std::int64_t>{0, 1, 2});
}

TEST_CASE("surfaces in space own the pixels below their patches, and a roof does not cancel the floor") {
  initialise_gdal();
  const RasterGrid grid{6, 4, std::nullopt, ""};
  const std::string floor = "((1 0 5, 3 0 5, 3 2 5, 1 2 5, 1 0 5))";
  const std::string wall = "((1 0 5, 1 2 5, 1 2 9, 1 0 9, 1 0 5))";
  const std::set<std::int64_t> below{1, 2, 7, 8};
  CHECK(pixels_of_wkt(grid, ("POLYHEDRALSURFACE Z (" + floor + ", " + floor + ", " + wall + ")").c_str()) == below);
  CHECK(pixels_of_wkt(grid, ("GEOMETRYCOLLECTION Z (POLYHEDRALSURFACE Z (" + floor + "))").c_str()) == below);
  CHECK(pixels_of_wkt(grid, "TIN Z (((0 0 1, 4 0 1, 0 4 1, 0 0 1)), ((4 0 1, 4 4 1, 0 4 1, 4 0 1)))") ==
        pixels_of_wkt(grid, "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))"));
  CHECK(pixels_of_wkt(grid, "TRIANGLE ((0 0, 3 0, 0 3, 0 0))") ==
        pixels_of_wkt(grid, "POLYGON ((0 0, 3 0, 0 3, 0 0))"));
}

TEST_CASE("shapes that reach absurdly far are drawn at once, and as nearer ones") {
  initialise_gdal();
  RasterGrid grid;
  grid.width = 6;
  grid.height = 4;
  const Rasteriser rasteriser(grid);
  const auto line_to = [&](double x) {
    OGRLineString line;
    line.addPoint(1.5, 2.5);
    line.addPoint(x, 2.5);
    return rasteriser.pixels_of(line);
  };
  CHECK(line_to(1e15) == line_to(100));
  // GDAL counts columns in 32 bits.
  const Ring wide = {{2, -1e12}, {1e12, -1e12}, {1e12, 1e12}, {2, 1e12}};
  const Ring narrow = {{2, -1}, {7, -1}, {7, 5}, {2, 5}};
  CHECK(rasteriser.pixels_of(polygon_of({wide})) == rasteriser.pixels_of(polygon_of({narrow})));
}

TEST_CASE("touching and extent") {
  initialise_gdal();
  const Rasteriser rasteriser({10, 20, std::array<double, 6>{100, 1, 0, 200, 0, -1}, ""});
  CHECK(rasteriser.touches(OGRPoint(105, 190)));
  CHECK_FALSE(rasteriser.touches(OGRPoint(105, 179)));
  CHECK_FALSE(rasteriser.touches(OGRPoint()));
  CHECK(rasteriser.extent().MinX == 100);
  CHECK(rasteriser.extent().MaxX == 110);
  CHECK(rasteriser.extent().MinY == 180);
  CHECK(rasteriser.extent().MaxY == 200);
}

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
  CHECK(runs.lost() == 5);
  CHECK_FALSE(runs.empty());
}

TEST_CASE("the window of runs holds their pixels, also of runs over the ends of rows") {
  const auto window = [](const std::vector<std::int64_t>& pixels) {
    PixelRuns runs;
    runs.add(1, pixels);
    runs.settle();
    return runs.window(10);
  };
  CHECK(window({23, 24, 31}) == Window{1, 2, 4, 2});
  CHECK(window({18, 19, 20}) == Window{0, 1, 10, 2});
  CHECK(window({9, 10}) == Window{0, 0, 10, 2});
  CHECK(window({}).pixels() == 0);
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
    std::int64_t lost = 0;
    for (std::int64_t number = 1; number <= 25; ++number) {
      std::vector<std::int64_t> pixels;
      const Index start = random.index(kPixels);
      for (Index pixel = start; pixel < std::min(kPixels, start + 60); ++pixel) {
        if (random.uniform() < 0.8) {
          pixels.push_back(pixel);
          std::int64_t& owner = expected[static_cast<std::size_t>(pixel)];
          lost += owner == 0 ? 0 : 1;
          owner = owner == 0 ? number : owner;
        }
      }
      runs.add(number, pixels);
    }
    runs.settle();
    REQUIRE(owners(runs, 0, kPixels) == expected);
    REQUIRE(runs.lost() == lost);
  }
}

namespace {

std::unique_ptr<OGRGeometry> shape_of(const std::string& wkt) {
  OGRGeometry* geometry = nullptr;
  OGRGeometryFactory::createFromWkt(wkt.c_str(), nullptr, &geometry);
  REQUIRE(geometry != nullptr);
  return std::unique_ptr<OGRGeometry>(geometry);
}

OGREnvelope box() {
  OGREnvelope envelope;
  envelope.Merge(-10, -10);
  envelope.Merge(10, 10);
  return envelope;
}

std::string cut(const std::string& wkt) {
  const auto part = part_in_box(*shape_of(wkt), box());
  return part == nullptr ? "whole" : part->exportToWkt();
}

}  // namespace

TEST_CASE("what lies in the box, and points, are not cut") {
  CHECK(cut("LINESTRING (0 0,10 10,-10 5)") == "whole");
  CHECK(cut("POLYGON ((0 0,5 0,5 5,0 0))") == "whole");
  CHECK(cut("POINT (50 50)") == "whole");
}

TEST_CASE("lines keep what lies in the box") {
  CHECK(cut("LINESTRING (0 0,2e10 1e10)") == "MULTILINESTRING ((0 0,10 5))");
  CHECK(cut("LINESTRING (-20 0,20 0,20 5)") == "MULTILINESTRING ((-10 0,10 0))");
  CHECK(cut("LINESTRING (20 0,30 0)") == "MULTILINESTRING EMPTY");
  // Past a corner, where both ends are beyond different edges.
  CHECK(cut("LINESTRING (0 30,30 0)") == "MULTILINESTRING EMPTY");
}

TEST_CASE("polygons keep what lies in the box, holes too") {
  const auto around = part_in_box(*shape_of("POLYGON ((-1e9 -1e9,1e9 -1e9,1e9 1e9,-1e9 1e9,-1e9 -1e9),"
                                            "(-5 -5,5 -5,5 5,-5 5,-5 -5))"),
                                  box());
  REQUIRE(around != nullptr);
  CHECK(around->toPolygon()->get_Area() == doctest::Approx(400 - 100));
  const auto half = part_in_box(*shape_of("POLYGON ((0 -50,50 -50,50 50,0 50,0 -50))"), box());
  CHECK(half->toPolygon()->get_Area() == doctest::Approx(200));
  CHECK(part_in_box(*shape_of("POLYGON ((20 20,30 20,30 30,20 20))"), box())->IsEmpty());
}

TEST_CASE("coordinates that are no numbers, and absurd ones, are found at any depth") {
  CHECK(has_usable_coordinates(*shape_of("GEOMETRYCOLLECTION (POINT (1 2),POLYGON ((0 0,1 0,1 1,0 0)))")));
  CHECK(has_usable_coordinates(*shape_of("POINT EMPTY")));
  OGRLineString line;
  line.addPoint(0, 0);
  line.addPoint(1, std::numeric_limits<double>::quiet_NaN());
  CHECK_FALSE(has_usable_coordinates(line));
  OGRGeometryCollection collection;
  collection.addGeometry(&line);
  CHECK_FALSE(has_usable_coordinates(collection));
  CHECK_FALSE(has_usable_coordinates(OGRPoint(std::numeric_limits<double>::infinity(), 0)));
  CHECK_FALSE(has_usable_coordinates(OGRPoint(1e200, 0)));
}

}  // namespace parsimap::test
