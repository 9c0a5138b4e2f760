#include "gdal/raster/content_sum.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

using Names = std::vector<std::string>;

namespace {

constexpr int kSummedWidth = 300;
constexpr int kSummedHeight = 90;

double summed_value(int column, int row) { return (column / 7 + row * 3) % 250; }

std::uint64_t sum_of_rows(const std::vector<int>& rows, int band_count = 1) {
  ContentSum sum(kSummedWidth, band_count, 0);
  for (const int row : rows) {
    std::vector<float> values;
    for (int column = 0; column < kSummedWidth; ++column) {
      for (int band = 0; band < band_count; ++band) {
        values.push_back(static_cast<float>(summed_value(column, row) + 10 * band));
      }
    }
    sum.add({0, row, kSummedWidth, 1}, 0, band_count, values.data());
  }
  return sum.sum();
}

std::vector<int> all_rows() {
  std::vector<int> rows(kSummedHeight);
  for (int row = 0; row < kSummedHeight; ++row) {
    rows[static_cast<std::size_t>(row)] = kSummedHeight - 1 - row;
  }
  return rows;
}

}  // namespace

TEST_CASE("the sum of a raster is that of its parts in any order, in any storage and any type") {
  const TemporaryFolder folder;
  for (const GDALDataType type : {GDT_Byte, GDT_UInt16, GDT_Int32, GDT_Float64}) {
    for (const Names& options : std::vector<Names>{{}, {"TILED=YES", "BLOCKXSIZE=64", "BLOCKYSIZE=32"}}) {
      const DatasetPtr raster =
          create_raster(folder.file("a.tif"), kSummedWidth, kSummedHeight, 1, type, "GTiff", options);
      fill_band(*raster, 1, summed_value);
      CHECK(content_sum(*raster, 0, false) == sum_of_rows(all_rows()));
    }
  }
  const DatasetPtr two = create_raster(folder.file("two.tif"), kSummedWidth, kSummedHeight, 2, GDT_UInt16);
  fill_band(*two, 1, summed_value);
  fill_band(*two, 2, [](int column, int row) { return summed_value(column, row) + 10; });
  CHECK(content_sum(*two, 0, false) == sum_of_rows(all_rows(), 2));
}

TEST_CASE("one value that changes, and two that change places, change the sum") {
  const TemporaryFolder folder;
  const DatasetPtr raster = create_raster(folder.file("a.tif"), kSummedWidth, kSummedHeight, 1, GDT_Float32);
  fill_band(*raster, 1, summed_value);
  const std::uint64_t sum = sum_of_rows(all_rows());
  const auto set = [&](int column, int row, double value) {
    CHECK(raster->GetRasterBand(1)->RasterIO(GF_Write, column, row, 1, 1, &value, 1, 1, GDT_Float64, 0, 0, nullptr) ==
          CE_None);
  };
  set(50, 50, summed_value(50, 50) + 1);
  CHECK(content_sum(*raster, 0, false) != sum);
  set(50, 50, summed_value(250, 80));
  set(250, 80, summed_value(50, 50));
  CHECK(content_sum(*raster, 0, false) != sum);
  set(50, 50, summed_value(50, 50));
  set(250, 80, summed_value(250, 80));
  CHECK(content_sum(*raster, 0, false) == sum);
  set(50, 50, summed_value(50, 50) + 0.5);
  CHECK_FALSE(content_sum(*raster, 0, false).has_value());
}

TEST_CASE("what is the fill value counts for nothing, NaN too, and -0 is 0") {
  const TemporaryFolder folder;
  const DatasetPtr raster = create_raster(folder.file("a.tif"), 3, 1, 1, GDT_Float32);
  ContentSum sum(3, 1, std::nan(""));
  fill_band(*raster, 1, [](int column, int) { return column == 1 ? -0.0 : std::nan(""); });
  const float zero = 0;
  sum.add({1, 0, 1, 1}, 0, 1, &zero);
  CHECK(content_sum(*raster, std::nan(""), true) == sum.sum());
  const double half = 0.5;
  sum.add({2, 0, 1, 1}, &half, GDT_Float64);
  CHECK(content_sum(*raster, std::nan(""), true) != sum.sum());
  CHECK(ContentSum(3, 1, 0).sum() == 0);
}
