#include "gdal/outline.hpp"

#include <doctest/doctest.h>

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("an outline has the area of its pixels and a part for each area, which corners do not join") {
  const RasterGrid grid = utm_grid(20, 20);
  const double pixel = std::abs((*grid.geotransform)[1] * (*grid.geotransform)[5]);
  const OGRMultiPolygon ring = outline_of({1, 1, 1,  //
                                           1, 0, 1,  //
                                           1, 1, 1},
                                          {4, 5, 3, 3}, grid);
  REQUIRE(ring.getNumGeometries() == 1);
  CHECK(ring.getGeometryRef(0)->getNumInteriorRings() == 1);
  CHECK(ring.get_Area() == doctest::Approx(8 * pixel));
  const OGRMultiPolygon corners = outline_of({1, 0,  //
                                              0, 1},
                                             {0, 0, 2, 2}, grid);
  CHECK(corners.getNumGeometries() == 2);
  OGREnvelope envelope;
  corners.getEnvelope(&envelope);
  CHECK(envelope.MinX == map_point(grid, 0, 0)[0]);
  CHECK(envelope.MinY == map_point(grid, 2, 2)[1]);
  CHECK(outline_of({0, 0}, {0, 0, 2, 1}, grid).getNumGeometries() == 0);
}
