#include "parsimap/gdal/file_kind.hpp"

#include <doctest/doctest.h>

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("rasters and vector files are told apart from what is neither") {
  const TemporaryFolder folder;
  create_raster(folder.file("a.tif"), 2, 2, 1, GDT_Byte);
  write_file(folder.file("b.geojson"), R"({"type": "FeatureCollection", "features": []})");
  write_file(folder.file("c.txt"), "neither");
  CHECK(file_kind(folder.file("a.tif")) == FileKind::raster);
  CHECK(file_kind(folder.file("b.geojson")) == FileKind::vector);
  CHECK(file_kind(folder.file("c.txt")) == FileKind::unknown);
  CHECK(file_kind(folder.file("absent")) == FileKind::unknown);
}
