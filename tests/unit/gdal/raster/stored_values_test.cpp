#include "gdal/raster/stored_values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

// A band of one pixel, in memory.
DatasetPtr band_of(GDALDataType type) { return create_raster("", 1, 1, 1, type, "MEM"); }

StoredBand stored(GDALDataType type, const Band& known = {}) {
  const DatasetPtr dataset = band_of(type);
  return {*dataset->GetRasterBand(1), known};
}

}  // namespace

TEST_CASE("bands are read in a type that holds them") {
  const auto of = [](std::initializer_list<GDALDataType> types) {
    std::vector<StoredBand> bands;
    for (const GDALDataType type : types) {
      bands.push_back(stored(type));
    }
    return reading_type(bands);
  };
  CHECK(of({GDT_Byte, GDT_UInt16, GDT_Int16, GDT_Float32}) == GDT_Float32);
  CHECK(of({GDT_Float32, GDT_Int32}) == GDT_Float64);
  CHECK(of({GDT_UInt32}) == GDT_Float64);
  CHECK(of({GDT_Float64, GDT_Byte}) == GDT_Float64);
  CHECK(of({GDT_Int64, GDT_Int64}) == GDT_Int64);
  CHECK(of({GDT_UInt64}) == GDT_UInt64);
  CHECK(of({GDT_Int64, GDT_UInt64}) == GDT_Float64);
}

TEST_CASE("nodata of 64 bits is compared in 64 bits") {
  const DatasetPtr dataset = band_of(GDT_Int64);
  constexpr std::int64_t nodata = (std::int64_t{1} << 53) + 1;  // its neighbour below is the same double
  dataset->GetRasterBand(1)->SetNoDataValueAsInt64(nodata);
  const Cleaner<std::int64_t> cleaner({{*dataset->GetRasterBand(1), {}}}, {0});
  const std::vector<std::int64_t> source = {nodata, nodata - 1, std::numeric_limits<std::int64_t>::min(), 0};
  std::vector<float> target(4);
  cleaner.clean(source.data(), 4, target.data());
  CHECK(std::isnan(target[0]));
  CHECK(target[1] == 9007199254740992.0F);
  CHECK(target[2] == -9223372036854775808.0F);
  CHECK(target[3] == 0);

  const DatasetPtr natural = band_of(GDT_UInt64);
  natural->GetRasterBand(1)->SetNoDataValueAsUInt64(std::numeric_limits<std::uint64_t>::max());
  const Cleaner<std::uint64_t> other({{*natural->GetRasterBand(1), {}}}, {0});
  const std::vector<std::uint64_t> large = {std::numeric_limits<std::uint64_t>::max(),
                                            std::numeric_limits<std::uint64_t>::max() - 1};
  other.clean(large.data(), 2, target.data());
  CHECK(std::isnan(target[0]));
  CHECK(target[1] == 18446744073709551616.0F);
}

TEST_CASE("a band without nodata value has a value wherever a number is") {
  const Cleaner<std::int64_t> cleaner({stored(GDT_Int64)}, {0});
  const std::int64_t zero = 0;
  float target = -1;
  cleaner.clean(&zero, 1, &target);
  CHECK(target == 0);
}

TEST_CASE("nodata of a float32 band is rounded like its values, whatever they are read in") {
  const DatasetPtr dataset = band_of(GDT_Float32);
  dataset->GetRasterBand(1)->SetNoDataValue(-9999.1);
  const std::vector<StoredBand> bands = {{*dataset->GetRasterBand(1), {}}};
  const double wide = static_cast<double>(-9999.1F);
  float target = 0;
  Cleaner<double>(bands, {0}).clean(&wide, 1, &target);
  CHECK(std::isnan(target));
  const float narrow = -9999.1F;
  Cleaner<float>(bands, {0}).clean(&narrow, 1, &target);
  CHECK(std::isnan(target));
}

TEST_CASE("scale and offset are those of each band, applied after nodata, and round once") {
  const DatasetPtr dataset = band_of(GDT_Int16);
  dataset->GetRasterBand(1)->SetNoDataValue(-9999);
  const std::vector<StoredBand> bands = {{*dataset->GetRasterBand(1), {.scale = 1e-4, .offset = -0.1}},
                                         {*dataset->GetRasterBand(1), {}},
                                         {*dataset->GetRasterBand(1), {.scale = 1e36}}};
  const Cleaner<float> cleaner(bands, {0, 1, 2});
  const std::vector<float> source = {-9999, -9999, -9999, 4321, 4321, 4321};
  std::vector<float> target(6);
  cleaner.clean(source.data(), 2, target.data());
  CHECK(std::isnan(target[0]));
  CHECK(std::isnan(target[1]));
  CHECK(std::isnan(target[2]));
  CHECK(target[3] == static_cast<float>(4321 * 1e-4 - 0.1));
  CHECK(target[4] == 4321);
  CHECK(std::isnan(target[5]));
}

TEST_CASE("nodata of wide integers") {
  const TemporaryFolder folder;
  const DatasetPtr dataset = create_raster(folder.file("wide.tif"), 2, 2, 1, GDT_Int64);
  CHECK_FALSE(nodata_of(*dataset->GetRasterBand(1)).has_value());
  dataset->GetRasterBand(1)->SetNoDataValueAsInt64(-5);
  CHECK(nodata_of(*dataset->GetRasterBand(1)) == -5.0);
}

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
  const Coverage both(*dataset, {1, 2});
  const Coverage first(*dataset, {1});
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
  const Coverage coverage(*dataset, {1});
  CHECK_FALSE(coverage.empty({0, 0, 20, 10}));
  CHECK_FALSE(coverage.has_holes({0, 0, 20, 10}));
}
