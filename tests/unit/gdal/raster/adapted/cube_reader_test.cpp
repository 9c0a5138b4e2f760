#include "gdal/raster/adapted/cube_reader.hpp"

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "../raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

constexpr int kWidth = 7;
constexpr int kHeight = 6;
constexpr int kDepth = 5;

using Numbers = std::function<int(int column, int row, int band)>;  // band from 0

int number_at(int column, int row, int band) { return 1000 * band + 10 * row + column; }

// An array in memory with the dimensions in the order of the letters; t has one value.
GdalCube array_of(const std::string& order, const Numbers& value) {
  initialise_gdal();
  GdalCube cube;
  cube.file.reset(GetGDALDriverManager()->GetDriverByName("MEM")->CreateMultiDimensional("", nullptr, nullptr));
  const auto root = cube.file->GetRootGroup();
  std::vector<std::shared_ptr<GDALDimension>> dimensions;
  std::vector<int> lengths;
  for (const char letter : order) {
    lengths.push_back(letter == 'x' ? kWidth : letter == 'y' ? kHeight : letter == 'b' ? kDepth : 1);
    dimensions.push_back(root->CreateDimension(std::string(1, letter), "", "", static_cast<GUInt64>(lengths.back())));
  }
  cube.x = order.find('x');
  cube.y = order.find('y');
  if (order.find('b') != std::string::npos) {
    cube.band = order.find('b');
  }
  const auto type = GDALExtendedDataType::Create(GDT_Int16);
  cube.array = root->CreateMDArray("cube", dimensions, type);
  std::vector<GInt16> values(static_cast<std::size_t>(kWidth * kHeight * (cube.band ? kDepth : 1)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::vector<int> at(lengths.size());
    for (std::size_t d = lengths.size(), rest = i; d-- > 0;) {
      at[d] = static_cast<int>(rest) % lengths[d];
      rest /= static_cast<std::size_t>(lengths[d]);
    }
    values[i] = static_cast<GInt16>(value(at[cube.x], at[cube.y], cube.band ? at[*cube.band] : 0));
  }
  const std::vector<GUInt64> first(lengths.size(), 0);
  const std::vector<std::size_t> count(lengths.begin(), lengths.end());
  REQUIRE(cube.array->Write(first.data(), count.data(), nullptr, nullptr, type, values.data()));
  return cube;
}

DatasetPtr raster_of(const Numbers& value) {
  DatasetPtr raster = create_raster("", kWidth, kHeight, kDepth, GDT_Int16, "MEM");
  for (int band = 0; band < kDepth; ++band) {
    fill_band(*raster, band + 1, [&](int column, int row) { return value(column, row, band); });
  }
  return raster;
}

// Bands 4, 2 and 3 (of GDAL) of a window of 3 x 2 pixels as floats, in the order row, column, band.
std::vector<float> window_of(GDALDataset& dataset, int column, int row) {
  std::vector<float> values(3 * 2 * 3);
  std::array<int, 3> bands{4, 2, 3};
  REQUIRE(dataset.RasterIO(GF_Read, column, row, 3, 2, values.data(), 3, 2, GDT_Float32, 3, bands.data(),
                           3 * sizeof(float), 9 * sizeof(float), sizeof(float), nullptr) == CE_None);
  return values;
}

void check_windows(GDALDataset& dataset, const Numbers& value) {
  for (int row = 0; row + 2 <= kHeight; ++row) {
    for (int column = 0; column + 3 <= kWidth; ++column) {
      const std::vector<float> values = window_of(dataset, column, row);
      for (int i = 0; i < 6; ++i) {
        for (int b = 0; b < 3; ++b) {
          const int band = std::array{3, 1, 2}.at(static_cast<std::size_t>(b));
          CHECK(values[static_cast<std::size_t>(i * 3 + b)] == value(column + i % 3, row + i / 3, band));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("windows of a cube are read from its array in every order of dimensions") {
  // The raster and the array agree in the rows that are compared alone, so that the values show which of them is read.
  const auto changed = [](int column, int row, int band) {
    return number_at(column, row, band) + (row == 0 ? 5000 : 0);
  };
  for (const std::string order : {"byx", "yxb", "ybx", "xyb", "xby", "bxy", "tbyx", "ytxb"}) {
    CAPTURE(order);
    check_windows(*read_at_once(raster_of(number_at), array_of(order, changed)), changed);
    const auto turned = [&](int column, int row, int band) { return changed(column, kHeight - 1 - row, band); };
    const DatasetPtr dataset = read_at_once(raster_of(turned), array_of(order, changed));
    check_windows(*dataset, turned);
    CHECK(dataset->GetRasterBand(1)->GetRasterDataType() == GDT_Int16);
  }
}

TEST_CASE("windows of a cube are the same where the memory for blocks holds none") {
  const GIntBig before = GDALGetCacheMax64();
  GDALSetCacheMax64(1);
  check_windows(*read_at_once(raster_of(number_at), array_of("yxb", number_at)), number_at);
  GDALSetCacheMax64(before);
}

TEST_CASE("a raster whose rows are not those of the array is read by itself") {
  const auto other = [](int column, int row, int band) { return number_at(column, row, band) + 1; };
  check_windows(*read_at_once(raster_of(number_at), array_of("yxb", other)), number_at);
  // Equal in both orders: what differs may be in rows that were not compared.
  const auto alike = [](int, int, int band) { return band; };
  const auto hidden = [](int, int, int band) { return band == 2 ? 7 : band; };
  check_windows(*read_at_once(raster_of(alike), array_of("byx", hidden)), alike);
  GdalCube known = array_of("byx", hidden);
  known.same_rows = true;
  check_windows(*read_at_once(raster_of(alike), std::move(known)), hidden);
}

TEST_CASE("an array of one band is read as it is, first the row by which its order was found") {
  for (const std::string order : {"yx", "xy", "txy"}) {
    CAPTURE(order);
    const auto one = [](int column, int row, int) { return number_at(column, row, 0); };
    GdalCube array = array_of(order, one);
    DatasetPtr raster = create_raster("", kWidth, kHeight, 1, GDT_Int16, "MEM");
    fill_band(*raster, 1, [&](int column, int row) { return one(column, row, 0); });
    const DatasetPtr dataset = read_at_once(std::move(raster), std::move(array));
    for (int row = 0; row < kHeight; ++row) {
      std::array<float, kWidth> values{};
      REQUIRE(read_window(*dataset->GetRasterBand(1), {0, row, kWidth, 1}, values.data(), GDT_Float32));
      CHECK(values[0] == number_at(0, row, 0));
      CHECK(values.back() == number_at(kWidth - 1, row, 0));
    }
  }
}

TEST_CASE("bands of a cube are read one by one and at other sizes as those of other rasters") {
  const DatasetPtr dataset = read_at_once(raster_of(number_at), array_of("yxb", number_at));
  std::vector<double> band(kWidth * kHeight);
  REQUIRE(read_window(*dataset->GetRasterBand(3), {0, 0, kWidth, kHeight}, band.data(), GDT_Float64));
  CHECK(band[0] == number_at(0, 0, 2));
  CHECK(band.back() == number_at(kWidth - 1, kHeight - 1, 2));
  std::array<float, 2> values{};
  std::array<int, 2> bands{1, 2};
  REQUIRE(dataset->RasterIO(GF_Read, 0, 0, 3, 3, values.data(), 1, 1, GDT_Float32, 2, bands.data(), 0, 0, 0, nullptr) ==
          CE_None);
  CHECK(values[0] == number_at(1, 1, 0));
  CHECK(values[1] == number_at(1, 1, 1));
}
