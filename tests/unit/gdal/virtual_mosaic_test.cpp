#include "parsimap/gdal/virtual_mosaic.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

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
