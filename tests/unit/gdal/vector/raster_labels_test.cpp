#include "gdal/vector/raster_labels.hpp"

#include <doctest/doctest.h>
#include <ogr_spatialref.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

int code_at(int column, int row) { return (column * 7 + row * 3) % 5; }

std::string write_codes(const std::string& path, const RasterGrid& grid) {
  const DatasetPtr dataset =
      create_raster(path, static_cast<int>(grid.width), static_cast<int>(grid.height), 1, GDT_Byte);
  georeference(*dataset, grid);
  fill_band(*dataset, 1, [](int column, int row) { return code_at(column, row); });
  return path;
}

// The code under the centre of each pixel of `grid` in a raster on `own`, by one call for each pixel.
std::vector<int> nearest(const RasterGrid& grid, const RasterGrid& own) {
  OGRSpatialReference from = spatial_reference(grid.crs);
  OGRSpatialReference to = spatial_reference(own.crs);
  const std::unique_ptr<OGRCoordinateTransformation> transformation(OGRCreateCoordinateTransformation(&from, &to));
  std::vector<int> codes;
  for (Index row = 0; row < grid.height; ++row) {
    for (Index column = 0; column < grid.width; ++column) {
      auto [x, y] = map_point(grid, static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5);
      REQUIRE(transformation->Transform(1, &x, &y) != 0);
      const auto& g = *own.geotransform;
      const double c = std::floor((x - g[0]) / g[1]);
      const double r = std::floor((y - g[3]) / g[5]);
      const bool inside = c >= 0 && r >= 0 && c < static_cast<double>(own.width) && r < static_cast<double>(own.height);
      codes.push_back(inside ? code_at(static_cast<int>(c), static_cast<int>(r)) : 0);
    }
  }
  return codes;
}

std::vector<int> codes_by_pixel(const LabelledPixels& labels, const RasterGrid& grid) {
  std::vector<int> codes(static_cast<std::size_t>(grid.pixels()), 0);
  for (const LabelledPixel& pixel : labels.pixels) {
    codes[static_cast<std::size_t>(pixel.pixel)] = labels.classes[static_cast<std::size_t>(pixel.label)].code;
  }
  return codes;
}

}  // namespace

TEST_CASE("a raster of another size of pixels gives each pixel the label under its centre") {
  const TemporaryFolder folder;
  const RasterGrid grid = utm_grid(12, 9);
  for (const double size : {0.3, 1.0, 2.5}) {
    CAPTURE(size);
    const RasterGrid own{20, 15, std::array<double, 6>{500001.1, size, 0, 3999998.7, 0, -size}, grid.crs};
    const LabelledPixels labels = read_raster_labels(write_codes(folder.file("a.tif"), own), {}, grid, "s");
    CHECK(codes_by_pixel(labels, grid) == nearest(grid, own));
    REQUIRE(labels.messages.size() == 2);
    CHECK(contains(labels.messages[1], "pixels of the class 0 that count as unlabelled: "));
    CHECK(contains(labels.messages[0],
                   "a.tif is 20 x 15 pixels, but s is 12 x 9; each pixel of s has the label "
                   "that its centre lies in"));
    CHECK(std::is_sorted(labels.pixels.begin(), labels.pixels.end(),
                         [](const auto& a, const auto& b) { return a.pixel < b.pixel; }));
  }
}

TEST_CASE("a raster in degrees gives each pixel the label under its centre") {
  const TemporaryFolder folder;
  RasterGrid grid = utm_grid(40, 30);
  (*grid.geotransform)[1] = 30;
  (*grid.geotransform)[5] = -30;
  const RasterGrid own{25, 25, std::array<double, 6>{-80.9990, 4e-4, 0, 36.1440, 0, -3e-4}, wkt(4326)};
  const LabelledPixels labels = read_raster_labels(write_codes(folder.file("a.tif"), own), {}, grid, "s");
  const std::vector<int> expected = nearest(grid, own);
  CHECK(std::count(expected.begin(), expected.end(), 0) < grid.pixels());
  CHECK(codes_by_pixel(labels, grid) == expected);
  CHECK(contains(labels.messages.at(0), "a.tif is 25 x 25 pixels, but s is 40 x 30"));
}

TEST_CASE("classes of the raster beside the scene are left out, and a message says so") {
  const TemporaryFolder folder;
  const DatasetPtr dataset = create_raster(folder.file("a.tif"), 10, 4, 1, GDT_Byte);
  georeference(*dataset, utm_grid(10, 4));
  fill_band(*dataset, 1, [](int column, int) { return column + 1; });
  dataset->FlushCache();
  const LabelledPixels labels = read_raster_labels(folder.file("a.tif"), {}, utm_grid(2, 2), "s");
  CHECK(labels.classes == ClassTable{{1, "1", {}}, {2, "2", {}}});
  CHECK(contains(labels.messages.at(1), "classes without a pixel of s: '3', '4'"));
}

TEST_CASE("a raster that names no reference system is taken to be in that of the scene, and a message says so") {
  const TemporaryFolder folder;
  RasterGrid own = utm_grid(12, 9);
  own.crs.clear();
  const DatasetPtr dataset = create_raster(folder.file("a.tif"), 12, 9, 1, GDT_Byte);
  georeference(*dataset, own);
  dataset->GetRasterBand(1)->Fill(3);
  dataset->FlushCache();
  CHECK(contains(read_raster_labels(folder.file("a.tif"), {}, utm_grid(12, 9), "s").messages.at(0),
                 "a.tif names no coordinate reference system"));
  LabelOptions options;
  options.epsg = 32617;
  CHECK(read_raster_labels(folder.file("a.tif"), options, utm_grid(12, 9), "s").messages.empty());
  create_raster(folder.file("b.tif"), 12, 9, 1, GDT_Byte)->GetRasterBand(1)->Fill(3);
  CHECK(contains(read_raster_labels(folder.file("b.tif"), {}, utm_grid(12, 9), "s").messages.at(0),
                 "b.tif is not georeferenced: pixels of both are taken to correspond"));
}
