#include "parsimap/io/gdal/same_grid.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

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

  CHECK(refusal(utm_grid(9, 12)) == "mask.tif: is 9 x 12 pixels, but s.tif is 12 x 9; a mask must fit.");
  (*nearly.geotransform)[0] += (*grid.geotransform)[1];
  CHECK(contains(refusal(nearly), "mask.tif: has origin ("));
  CHECK(contains(refusal(nearly), "; a mask must fit."));
}
