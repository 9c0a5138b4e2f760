#include "parsimap/scene/quicklook.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "parsimap/scene/memory_scene.hpp"

#include "support/memory_scene.hpp"
#include "unit/scene/plain_scene.hpp"

namespace parsimap::test {
namespace {

BandTable bands_at(const std::vector<double>& wavelengths) {
  BandTable bands;
  for (const double wavelength : wavelengths) {
    bands.push_back({"", wavelength});
  }
  return bands;
}

}  // namespace

TEST_CASE("the quicklook of a map is the same for any windows, and the map is passed on") {
  const RasterGrid grid = grid_of(1500, 1100);
  const auto code = [](Index column, Index row) { return static_cast<std::uint16_t>(1 + (column * 7 + row) % 300); };
  std::vector<std::uint16_t> expected;
  std::vector<float> values;
  const PictureLayout reduced = picture_of({0, 0, 1500, 1100});
  for (Index r = 0; r < reduced.height; ++r) {
    for (Index c = 0; c < reduced.width; ++c) {
      expected.push_back(code(reduced.tiles[0].source_column(c), reduced.tiles[0].source_row(r)));
      values.push_back(static_cast<float>(expected.back()));
    }
  }
  for (const auto& [width, height] : {std::pair<Index, Index>{1500, 1100}, {1500, 1}, {256, 256}}) {
    MemoryClassMapSink target(grid);
    ClassMapQuicklook quicklook(reduced, target);
    FieldQuicklook field(reduced, nullptr);
    for (Index row = 0; row < grid.height; row += height) {
      for (Index column = 0; column < grid.width; column += width) {
        const Window window{column, row, std::min(width, grid.width - column), std::min(height, grid.height - row)};
        std::vector<std::uint16_t> codes;
        for (Index r = 0; r < window.height; ++r) {
          for (Index c = 0; c < window.width; ++c) {
            codes.push_back(code(column + c, row + r));
          }
        }
        quicklook.write(window, codes);
        field.write(
            window,
            Eigen::Map<Eigen::Matrix<std::uint16_t, Eigen::Dynamic, 1>>(codes.data(), window.pixels()).cast<float>());
      }
    }
    quicklook.close();
    CHECK(quicklook.codes() == expected);
    CHECK(field.values() == values);
    CHECK(target.closed());
    CHECK(target.codes()[5] == code(5, 0));
  }
}

TEST_CASE("red, green and blue by wavelength, or by thirds of the bands") {
  CHECK(picture_bands(bands_at({400, 460, 480, 540, 561, 640, 700})) == std::array<Index, 3>{5, 3, 1});
  CHECK(picture_bands(bands_at({1000, 1100, 1200, 1300, 1400, 1500})) == std::array<Index, 3>{5, 3, 1});
  BandTable unknown(12);
  CHECK(picture_bands(unknown) == std::array<Index, 3>{10, 6, 2});
  CHECK(picture_bands(BandTable(1)) == std::array<Index, 3>{0, 0, 0});
}

TEST_CASE("a picture is stretched between percentiles, and transparent without data") {
  const Index side = 50;
  Spectra values(side * side, 3);
  for (Index i = 0; i < values.rows(); ++i) {
    values.row(i) << static_cast<float>(i), 7.0F, static_cast<float>(-i);
  }
  values(100, 1) = std::numeric_limits<float>::quiet_NaN();
  MemoryScene scene("scene", grid_of(side, side), BandTable(3), values);
  const std::vector<std::uint8_t> picture = scene_picture(scene, {0, 1, 2}).rgba;
  CHECK(scene_picture_in(picture_of({0, 0, side, side}), scene, {0, 1, 2}) == picture);
  REQUIRE(picture.size() == 4 * 2500);
  const auto pixel = [&](Index i) {
    return std::array<int, 4>{picture[4 * i], picture[4 * i + 1], picture[4 * i + 2], picture[4 * i + 3]};
  };
  CHECK(pixel(20) == std::array<int, 4>{0, 0, 255, 255});
  CHECK(pixel(2480) == std::array<int, 4>{255, 0, 0, 255});
  CHECK(pixel(1250)[0] == doctest::Approx(127).epsilon(0.02));
  CHECK(pixel(100) == std::array<int, 4>{0, 0, 0, 0});
  CHECK(scene.largest_read() <= side * 3);
}

TEST_CASE("a scene without data gives an empty picture, and known holes are not read") {
  const Spectra values = Spectra::Constant(9, 3, std::numeric_limits<float>::quiet_NaN());
  MemoryScene scene("scene", grid_of(3, 3), BandTable(3), values);
  scene.add_known_empty({0, 0, 3, 2});
  CHECK(scene_picture(scene, {0, 1, 2}).rgba == std::vector<std::uint8_t>(36, 0));
  CHECK(scene.values_read() == 9);
}

TEST_CASE("the picture of a scene ends where its data end") {
  Spectra values = Spectra::Constant(60, 3, std::numeric_limits<float>::quiet_NaN());
  for (const Index i : {12, 13, 22, 23}) {
    values.row(i).setConstant(1);
  }
  MemoryScene scene("scene", grid_of(10, 6), BandTable(3), values);
  const ScenePicture picture = scene_picture(scene, {0, 1, 2});
  CHECK(picture.layout == picture_of({2, 1, 2, 2}));
  CHECK(picture.rgba.size() == 16);
}

TEST_CASE("fields are passed on, and are unknown where nothing was written") {
  MemoryFieldSink target(grid_of(3, 1), 1);
  FieldQuicklook quicklook(picture_of({0, 0, 3, 1}), &target);
  quicklook.write({1, 0, 1, 1}, Spectra::Constant(1, 1, 0.25F));
  quicklook.close();
  CHECK(target.closed());
  CHECK(target.values()(1, 0) == 0.25F);
  CHECK(std::isnan(quicklook.values()[0]));
  CHECK(quicklook.values()[1] == 0.25F);
}

TEST_CASE("the picture of a map is that of its classified part") {
  class Map final : public ClassMapSource {
   public:
    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] const RasterGrid& grid() const override { return grid_; }
    [[nodiscard]] const ClassTable& classes() const override { return classes_; }
    [[nodiscard]] bool has_names() const override { return false; }
    void read(const Window& window, std::vector<std::uint16_t>& codes) override {
      codes.clear();
      for (Index i = 0; i < window.pixels(); ++i) {
        const Index column = window.column + i % window.width;
        const Index row = window.row + i / window.width;
        codes.push_back(static_cast<std::uint16_t>(column >= 3 && row >= 2 ? 10 * row + column : 0));
      }
    }

   private:
    std::string name_ = "map";
    RasterGrid grid_ = grid_of(6, 4);
    ClassTable classes_;
  } map;
  const ClassMapPicture picture = class_map_picture(map);
  CHECK(picture.layout == picture_of({3, 2, 3, 2}));
  CHECK(picture.codes == std::vector<std::uint16_t>{23, 24, 25, 33, 34, 35});
}

TEST_CASE("values are counted in equal bins and passed on") {
  RasterGrid grid;
  grid.width = 3;
  grid.height = 2;
  MemoryFieldSink target(grid, 1);
  FieldHistogram histogram(&target);
  Spectra values(6, 1);
  values << 0, 0.049F, 0.05F, 0.999F, 1, std::numeric_limits<float>::quiet_NaN();
  histogram.write({0, 0, 3, 2}, values);
  histogram.close();
  REQUIRE(histogram.counts().size() == 20);
  CHECK(histogram.counts()[0] == 2);
  CHECK(histogram.counts()[1] == 1);
  CHECK(histogram.counts()[19] == 2);
  CHECK(histogram.share_from(19) == 0.4);
  CHECK(FieldHistogram(nullptr).share_from(0) == 0);
  CHECK(target.closed());
  CHECK(target.values()(3, 0) == 0.999F);
}

TEST_CASE("without a target it only counts") {
  FieldHistogram histogram(nullptr);
  histogram.write({0, 0, 1, 1}, Spectra::Constant(1, 1, 0.5F));
  histogram.close();
  CHECK(histogram.counts()[10] == 1);
}

}  // namespace parsimap::test
