#include "parsimap/io/gdal/crs.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/scene.hpp"

#include "io/gdal/dataset.hpp"
#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("a code gives the reference system it names") {
  CHECK(gdal::crs_title(crs_from_epsg(32617)) == "EPSG:32617 (WGS 84 / UTM zone 17N)");
  CHECK(gdal::crs_title(crs_from_epsg(4326)) == "EPSG:4326 (WGS 84)");
  CHECK(gdal::same_crs(crs_from_epsg(32617), wkt(32617)));
  CHECK_FALSE(gdal::same_crs(crs_from_epsg(32617), crs_from_epsg(32618)));
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
  grid.crs = crs_from_epsg(2249);  // US survey feet
  CHECK(*pixel_area(grid) == doctest::Approx(25 * 0.3048006096 * 0.3048006096));
  grid.crs = crs_from_epsg(4326);
  CHECK_FALSE(pixel_area(grid));
  grid.crs.clear();
  CHECK_FALSE(pixel_area(grid));
  CHECK_FALSE(pixel_area({10, 10, std::nullopt, wkt(32617)}));
}
