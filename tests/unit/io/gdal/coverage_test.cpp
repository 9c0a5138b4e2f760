#include "io/gdal/coverage.hpp"

#include <doctest/doctest.h>

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("the unwritten tiles of a sparse GeoTIFF are known to be empty, band by band") {
  const TemporaryFolder folder;
  const std::string path = folder.file("sparse.tif");
  {
    const DatasetPtr dataset =
        create_raster(path, 256, 128, 2, GDT_Byte, "GTiff",
                      {"TILED=YES", "BLOCKXSIZE=64", "BLOCKYSIZE=64", "SPARSE_OK=TRUE", "INTERLEAVE=BAND"});
    std::vector<std::uint8_t> block(64 * 64, 1);
    const auto write = [&](int band, int column) {
      return dataset->GetRasterBand(band)->RasterIO(GF_Write, column, 0, 64, 64, block.data(), 64, 64, GDT_Byte, 0, 0,
                                                    nullptr);
    };
    REQUIRE(write(1, 64) == CE_None);
    REQUIRE(write(2, 128) == CE_None);
  }
  const DatasetPtr dataset(GDALDataset::Open(path.c_str()));
  const gdal::Coverage both(*dataset, {1, 2});
  const gdal::Coverage first(*dataset, {1});
  CHECK(both.empty({0, 0, 64, 128}));
  CHECK_FALSE(both.empty({0, 0, 65, 128}));
  CHECK_FALSE(both.empty({128, 0, 64, 64}));
  CHECK(first.empty({128, 0, 64, 64}));
  CHECK(first.has_holes({64, 0, 65, 64}));
  CHECK_FALSE(first.has_holes({64, 0, 64, 64}));
}

TEST_CASE("a raster without holes has none") {
  const TemporaryFolder folder;
  const DatasetPtr dataset = create_raster(folder.file("full.img"), 20, 10, 1, GDT_Byte, "ENVI");
  const gdal::Coverage coverage(*dataset, {1});
  CHECK_FALSE(coverage.empty({0, 0, 20, 10}));
  CHECK_FALSE(coverage.has_holes({0, 0, 20, 10}));
}
