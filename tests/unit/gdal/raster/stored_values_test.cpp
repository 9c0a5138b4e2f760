#include "gdal/raster/stored_values.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
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

constexpr int kRawWidth = 7;
constexpr int kRawHeight = 5;
constexpr int kRawBands = 4;

double stored_at(int column, int row, int band) { return 1000 * band + 10 * row + column - 1500; }

void make_scene(const std::string& path, GDALDataType type, const std::string& interleave) {
  const DatasetPtr dataset =
      create_raster(path, kRawWidth, kRawHeight, kRawBands, type, "ENVI", {"INTERLEAVE=" + interleave});
  for (int band = 0; band < kRawBands; ++band) {
    fill_band(*dataset, band + 1, [band](int column, int row) { return stored_at(column, row, band); });
  }
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

TEST_CASE("rows that lie in one piece are those that GDAL reads") {
  const TemporaryFolder folder;
  const std::string path = folder.file("scene.img");
  for (const std::string interleave : {"bip", "bil"}) {
    for (const GDALDataType type : {GDT_Int16, GDT_Float32}) {
      make_scene(path, type, interleave);
      const DatasetPtr dataset = open_raster(path);
      std::optional<RawRows> rows = RawRows::of(*dataset, {1, 2, 3, 4});
      REQUIRE(rows);
      for (const Window& window : {Window{0, 0, kRawWidth, kRawHeight}, Window{2, 1, 3, 4}, Window{6, 4, 1, 1}}) {
        for (const Indices& bands : {Indices{0, 1, 2, 3}, Indices{3, 2, 1, 0}, Indices{1, 2}, Indices{2}}) {
          Index next = 0;
          CHECK(rows->read(window, bands, [&](Index row, const float* numbers) {
            CHECK(row == next++);
            for (Index i = 0; i < window.width; ++i) {
              for (const Index band : bands) {
                CHECK(*numbers++ == stored_at(static_cast<int>(window.column + i), static_cast<int>(window.row + row),
                                              static_cast<int>(band)));
              }
            }
          }));
          CHECK(next == window.height);
        }
      }
    }
  }
}

TEST_CASE("other layouts and types are left to GDAL") {
  const TemporaryFolder folder;
  const std::string path = folder.file("scene.img");
  const auto raw = [&](GDALDataType type, const std::string& interleave) {
    make_scene(path, type, interleave);
    return RawRows::of(*open_raster(path), {1, 2, 3, 4}).has_value();
  };
  CHECK(raw(GDT_Int16, "bip"));
  CHECK_FALSE(raw(GDT_Int16, "bsq"));
  CHECK_FALSE(raw(GDT_Float64, "bip"));
  CHECK_FALSE(raw(GDT_Byte, "bip"));
  CHECK_FALSE(RawRows::of(*create_raster("", 2, 2, 1, GDT_Float32, "MEM"), {1}));
}

TEST_CASE("rows that a file does not hold are not made up") {
  const TemporaryFolder folder;
  const std::string path = folder.file("scene.img");
  make_scene(path, GDT_Int16, "bip");
  const DatasetPtr dataset = open_raster(path);
  std::optional<RawRows> rows = RawRows::of(*dataset, {1, 2, 3, 4});
  std::filesystem::resize_file(path, kRawWidth * kRawBands * 2 * 3);
  const auto ignore = [](Index, const float*) {};
  CHECK(rows->read({0, 0, kRawWidth, 3}, {0, 1, 2, 3}, ignore));
  CHECK_FALSE(rows->read({0, 0, kRawWidth, 4}, {0, 1, 2, 3}, ignore));
}
