#include "parsimap/gdal/raster/mosaic.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

RasterGrid grid_at(double left, double top, Index width, Index height, double size = 10, int epsg = 32617) {
  return {width, height, std::array<double, 6>{left, size, 0, top, 0, -size}, wkt(epsg)};
}

// A byte raster without nodata but 0, whose pixels are 1, 2, ... in the order of reading.
std::string write_numbered_map(const std::string& path, const RasterGrid& grid) {
  const DatasetPtr dataset =
      create_raster(path, static_cast<int>(grid.width), static_cast<int>(grid.height), 1, GDT_Byte);
  georeference(*dataset, grid);
  dataset->GetRasterBand(1)->SetNoDataValue(0);
  fill_band(*dataset, 1, [&](int column, int row) { return 1 + column + row * static_cast<int>(grid.width); });
  return path;
}

std::vector<float> values_of(const std::string& path, const RasterGrid& grid, const Window& window) {
  Spectra values;
  open_on_grid(path, grid)->read(window, {0}, values);
  return {values.data(), values.data() + values.size()};
}

}  // namespace

TEST_CASE("the grid of a mosaic continues the lines of the first raster around all of them") {
  const TemporaryFolder folder;
  const std::string first = write_numbered_map(folder.file("a.tif"), grid_at(500000, 4000000, 4, 3));
  const std::string second = write_numbered_map(folder.file("b.tif"), grid_at(500030, 4000023, 2, 2));
  const MosaicGrid mosaic = mosaic_grid({first, second}, std::nullopt);
  CHECK(mosaic.grid.width == 5);
  CHECK(mosaic.grid.height == 6);
  CHECK(mosaic.grid.geotransform == std::array<double, 6>{500000, 10, 0, 4000030, 0, -10});
  CHECK(mosaic.windows == std::vector<Window>{{0, 3, 4, 3}, {3, 0, 2, 3}});
}

TEST_CASE("a raster is seen on the grid by its nearest pixels, and nowhere else") {
  const TemporaryFolder folder;
  const std::string first = write_numbered_map(folder.file("a.tif"), grid_at(500000, 4000000, 4, 3));
  const MosaicGrid same = mosaic_grid({first}, std::nullopt);
  CHECK(same.windows == std::vector<Window>{{0, 0, 4, 3}});
  CHECK(values_of(first, same.grid, {1, 1, 2, 2}) == std::vector<float>{6, 7, 10, 11});
  // A grid of finer pixels, further west: each pixel is there four times.
  const RasterGrid fine = grid_at(499990, 4000000, 10, 6, 5);
  const std::vector<float> seen = values_of(first, fine, {0, 0, 10, 2});
  CHECK(std::isnan(seen[0]));
  CHECK(std::isnan(seen[1]));
  for (std::size_t column = 2; column < 10; ++column) {
    CHECK(seen[column] == 1 + static_cast<float>((column - 2) / 2));
    CHECK(seen[column + 10] == seen[column]);
  }
}

TEST_CASE("a raster in another coordinate system lands where its coordinates are") {
  const TemporaryFolder folder;
  const std::string first = write_numbered_map(folder.file("a.tif"), grid_at(500000, 4000000, 40, 30));
  // About the same place in degrees: the central meridian of zone 17 is 81 degrees west.
  const std::string degrees = write_numbered_map(folder.file("b.tif"), grid_at(-81, 36.143, 3, 3, 0.001, 4326));
  const MosaicGrid mosaic = mosaic_grid({first, degrees}, std::nullopt);
  CHECK(same_crs(mosaic.grid.crs, wkt(32617)));
  REQUIRE(mosaic.windows[1].width > 20);
  // The centre of the pixel in the middle, value 5, is at -80.9985, 36.1415.
  OGRSpatialReference from = spatial_reference(wkt(4326));
  OGRSpatialReference to = spatial_reference(wkt(32617));
  const std::unique_ptr<OGRCoordinateTransformation> transformation(OGRCreateCoordinateTransformation(&from, &to));
  double x = -80.9985;
  double y = 36.1415;
  REQUIRE(transformation->Transform(1, &x, &y) != 0);
  const std::array<double, 6>& g = *mosaic.grid.geotransform;
  const Window place{static_cast<Index>((x - g[0]) / g[1]), static_cast<Index>((y - g[3]) / g[5]), 1, 1};
  CHECK(values_of(degrees, mosaic.grid, place) == std::vector<float>{5});
}

TEST_CASE("rasters on both sides of the antimeridian lie beside each other") {
  const TemporaryFolder folder;
  const std::string west = write_numbered_map(folder.file("w.tif"), grid_at(179.75, 10, 2, 2, 0.125, 4326));
  const std::string east = write_numbered_map(folder.file("e.tif"), grid_at(-180, 10, 3, 2, 0.125, 4326));
  const MosaicGrid mosaic = mosaic_grid({west, east}, std::nullopt);
  CHECK(mosaic.grid.width == 5);
  CHECK(mosaic.grid.geotransform == std::array<double, 6>{179.75, 0.125, 0, 10, 0, -0.125});
  CHECK(mosaic.windows == std::vector<Window>{{0, 0, 2, 2}, {2, 0, 3, 2}});
  CHECK(values_of(east, mosaic.grid, {2, 0, 3, 2}) == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(values_of(west, mosaic.grid, {0, 0, 2, 2}) == std::vector<float>{1, 2, 3, 4});
  CHECK(mosaic_grid({east, west}, std::nullopt).grid.geotransform ==
        std::array<double, 6>{-180.25, 0.125, 0, 10, 0, -0.125});
  // Like another raster, on its side.
  const MosaicGrid like = mosaic_grid({west}, east);
  CHECK(like.windows == std::vector<Window>{{}});
  const std::string target = folder.file("m.vrt");
  CHECK(contains(message_of<ConfigError>([&] {
                   write_virtual_mosaic({"MAP", target, target, {target}}, {west, east}, mosaic.grid, {{1, "a", {}}});
                 }),
                 east + " is on the other side of the antimeridian"));
}

TEST_CASE("with a raster to be like, the grid is its own, and what lies outside has no window") {
  const TemporaryFolder folder;
  const std::string first = write_numbered_map(folder.file("a.tif"), grid_at(500000, 4000000, 4, 3));
  const std::string like = write_numbered_map(folder.file("like.tif"), grid_at(500020, 4000000, 2, 9, 20));
  const std::string away = write_numbered_map(folder.file("away.tif"), grid_at(700000, 4000000, 4, 3));
  const MosaicGrid mosaic = mosaic_grid({first, away}, like);
  CHECK(mosaic.grid.width == 2);
  CHECK(mosaic.grid.height == 9);
  CHECK(mosaic.windows == std::vector<Window>{{0, 0, 1, 2}, {0, 0, 0, 0}});
}

TEST_CASE("rasters without a place, or with a coordinate system beside ones without, are refused by name") {
  const TemporaryFolder folder;
  const std::string first = write_numbered_map(folder.file("a.tif"), grid_at(500000, 4000000, 4, 3));
  const std::string nowhere = folder.file("nowhere.tif");
  create_raster(nowhere, 3, 3, 1, GDT_Byte);
  CHECK(message_of<DataError>([&] {
          mosaic_grid({first, nowhere}, std::nullopt);
        }) == nowhere + " has no place on the map (no geotransform and no control points); a mosaic needs one");
  RasterGrid bare = grid_at(500000, 4000000, 4, 3);
  bare.crs.clear();
  const std::string plain = write_numbered_map(folder.file("plain.tif"), bare);
  CHECK(message_of<DataError>([&] {
          mosaic_grid({first, plain}, std::nullopt);
        }) == plain + " has no coordinate reference system, but " + first +
                  " has one; a mosaic needs it of all rasters or of none");
  CHECK(mosaic_grid({plain, plain}, std::nullopt).grid.width == 4);
  RasterGrid turned = grid_at(500000, 4000000, 4, 3);
  turned.geotransform = {500000, 7, 7, 4000000, 7, -7};
  const std::string rotated = write_numbered_map(folder.file("rotated.tif"), turned);
  CHECK(message_of<ConfigError>([&] { mosaic_grid({first}, rotated); }) ==
        rotated + " is rotated; a mosaic needs a grid whose lines run east and south");
  CHECK(mosaic_grid({rotated}, std::nullopt).grid.width > 4);
}

TEST_CASE("only names that end in .vrt are virtual mosaics") {
  CHECK(is_virtual_mosaic("a/b.vrt"));
  CHECK(is_virtual_mosaic("a.VRT"));
  CHECK_FALSE(is_virtual_mosaic("a.vrt.tif"));
}

TEST_CASE("maps elsewhere are named by their whole path, and a map in another coordinate system is refused") {
  const TemporaryFolder folder;
  const TemporaryFolder other;
  const RasterGrid grid = utm_grid(3, 2);
  const std::string map = other.file("map.tif");
  {
    const DatasetPtr dataset = create_raster(map, 3, 2, 1, GDT_Byte);
    georeference(*dataset, grid);
    fill_band(*dataset, 1, [](int column, int row) { return row == 0 ? column : 1; });
  }
  const ClassTable classes = {{1, "water", std::nullopt}, {2, "forest", std::nullopt}};
  OutputSet outputs(false);
  const StagedOutput& staged = stage_virtual_mosaic(outputs, "--mosaic", folder.file("all.vrt"));
  write_virtual_mosaic(staged, {map}, grid, classes);
  outputs.publish();
  const DatasetPtr mosaic = open_raster(folder.file("all.vrt"));
  CHECK(files_of(*mosaic).back() == map);
  std::array<std::uint8_t, 6> codes{};
  REQUIRE(read_window(*mosaic->GetRasterBand(1), {0, 0, 3, 2}, codes.data(), GDT_Byte));
  CHECK(codes == std::array<std::uint8_t, 6>{0, 1, 2, 1, 1, 1});
  RasterGrid degrees = grid;
  degrees.crs = wkt(4326);
  OutputSet more(false);
  const StagedOutput& refused = stage_virtual_mosaic(more, "--mosaic", folder.file("other.vrt"));
  CHECK(contains(message_of<ConfigError>([&] { write_virtual_mosaic(refused, {map}, degrees, classes); }),
                 "a .vrt cannot bring one to the other: name a GeoTIFF (.tif)"));
}

TEST_CASE("rows of rasters are stacked without a look at them, in the sensor's own grid too") {
  const TemporaryFolder folder;
  RasterGrid grid;
  grid.width = 3;
  grid.height = 3;
  grid.control_points = {{0, 0, 10, 50}, {3, 0, 13, 50}, {0, 3, 10, 47}};
  grid.crs = wkt(4326);
  const ClassTable classes = {{1, "water", Colour{1, 2, 3}}, {300, "forest", std::nullopt}};
  OutputSet outputs(false);
  const StagedOutput& map = stage_virtual_mosaic(outputs, "MAP", folder.file("map.vrt"));
  const StagedOutput& field = stage_virtual_mosaic(outputs, "--confidence", folder.file("confidence.vrt"));
  const std::vector<RowsOfRaster> rasters = {{folder.file("a & b.tif"), {0, 1}}, {folder.file("c.tif"), {1, 3}}};
  write_stacked_map(map, rasters, grid, classes);
  write_stacked_field(field, rasters, grid, {"confidence"});
  outputs.publish();
  for (const auto& [path, rows] : rasters) {
    const DatasetPtr dataset = create_raster(path, 3, static_cast<int>(rows.size()), 1, GDT_UInt16);
    fill_band(*dataset, 1, [first = rows.first](int column, int row) { return 100 * (first + row) + column; });
  }
  for (const char* name : {"map.vrt", "confidence.vrt"}) {
    const DatasetPtr stacked = open_raster(folder.file(name));
    CHECK(stacked->GetGCPCount() == 3);
    std::array<float, 9> values{};
    REQUIRE(read_window(*stacked->GetRasterBand(1), {0, 0, 3, 3}, values.data(), GDT_Float32));
    CHECK(values == std::array<float, 9>{0, 1, 2, 100, 101, 102, 200, 201, 202});
  }
  CHECK(open_raster(folder.file("map.vrt"))->GetRasterBand(1)->GetRasterDataType() == GDT_UInt16);
  CHECK(contains(file_content(folder.file("map.vrt")), "relativeToVRT=\"1\">a &amp; b.tif<"));
}
