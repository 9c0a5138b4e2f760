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
  FieldQuicklook histogram(picture_of({0, 0, 3, 2}), &target);
  Spectra values(6, 1);
  values << 0, 0.049F, 0.05F, 0.999F, 1, std::numeric_limits<float>::quiet_NaN();
  histogram.write({0, 0, 3, 2}, values);
  histogram.close();
  REQUIRE(histogram.counts().size() == 20);
  CHECK(histogram.counts()[0] == 2);
  CHECK(histogram.counts()[1] == 1);
  CHECK(histogram.counts()[19] == 2);
  CHECK(histogram.share_from(19) == 0.4);
  CHECK(FieldQuicklook(picture_of({0, 0, 3, 2}), nullptr).share_from(0) == 0);
  CHECK(target.closed());
  CHECK(target.values()(3, 0) == 0.999F);
}

TEST_CASE("without a target it only counts") {
  FieldQuicklook histogram(picture_of({0, 0, 1, 1}), nullptr);
  histogram.write({0, 0, 1, 1}, Spectra::Constant(1, 1, 0.5F));
  histogram.close();
  CHECK(histogram.counts()[10] == 1);
}

namespace {

// A raster with data in some rectangles.
struct Plots {
  RasterGrid grid;
  std::vector<Window> plots;

  [[nodiscard]] bool has_data(Index column, Index row) const {
    return std::any_of(plots.begin(), plots.end(), [&](const Window& plot) {
      return column >= plot.column && column < plot.column + plot.width && row >= plot.row &&
             row < plot.row + plot.height;
    });
  }
  [[nodiscard]] std::vector<bool> inside(const Window& window) const {
    std::vector<bool> known;
    for (Index i = 0; i < window.pixels(); ++i) {
      known.push_back(has_data(window.column + i % window.width, window.row + i / window.width));
    }
    return known;
  }
  [[nodiscard]] PictureLayout layout(const std::vector<std::int64_t>& preferred = {}) const {
    const PictureLayout coarse = picture_of({0, 0, grid.width, grid.height});
    std::vector<bool> known;
    for (Index i = 0; i < coarse.pixels(); ++i) {
      const PictureTile& tile = coarse.tiles.front();
      known.push_back(has_data(tile.source_column(i % coarse.width), tile.source_row(i / coarse.width)));
    }
    return choose_layout(
        grid, coarse, known, [&](const Window& window) { return inside(window); }, preferred);
  }
};

}  // namespace

TEST_CASE("a small raster is as it is, a large one is reduced in proportion, with middles of its cells") {
  const PictureLayout small = picture_of({0, 0, 7, 5});
  CHECK(small.width == 7);
  CHECK(small.height == 5);
  for (Index i = 0; i < 7; ++i) {
    CHECK(small.tiles[0].source_column(i) == i);
  }
  const PictureLayout large = picture_of({100, 0, 6400, 3});
  CHECK(large.width == 640);
  CHECK(large.height == 1);
  CHECK(large.tiles[0].source_column(0) == 105);
  CHECK(large.tiles[0].source_column(639) == 6495);
  CHECK(large.tiles[0].source_row(0) == 1);
}

TEST_CASE("the rectangle around the data is shown, to the pixel") {
  const Plots small{grid_of(50, 40), {{10, 5, 20, 8}}};
  CHECK(small.layout() == picture_of({10, 5, 20, 8}));
  const Plots large{grid_of(6400, 4000), {{1003, 505, 200, 180}}};
  CHECK(large.layout() == picture_of({1003, 505, 200, 180}));
  const Plots all{grid_of(6400, 4000), {{0, 0, 6400, 4000}}};
  CHECK(all.layout() == picture_of({0, 0, 6400, 4000}));
}

TEST_CASE("without data everything is shown") {
  const Plots none{grid_of(50, 40), {}};
  CHECK(none.layout() == picture_of({0, 0, 50, 40}));
}

TEST_CASE("places that are few and far are tiles of one size in the order of their rows") {
  const Plots plots{grid_of(6400, 4800), {{5000, 4000, 20, 20}, {100, 200, 20, 20}, {3000, 200, 18, 20}}};
  const PictureLayout layout = plots.layout();
  REQUIRE(layout.tiles.size() == 3);
  CHECK(layout.places == 3);
  CHECK(layout.tiles[0].source == Window{100, 200, 20, 20});
  CHECK(layout.tiles[1].source == Window{2999, 200, 20, 20});
  CHECK(layout.tiles[2].source == Window{5000, 4000, 20, 20});
  CHECK(layout.width == 3 * 20 + 2 * 2);
  CHECK(layout.height == 20);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(layout.tiles[i].width == 20);
    CHECK(layout.tiles[i].left == static_cast<Index>(22 * i));
  }
}

TEST_CASE("of many places those with preferred pixels come first, then those with most data") {
  Plots plots{grid_of(6000, 6000), {}};
  for (Index i = 0; i < 39; ++i) {
    plots.plots.push_back({140 * i, 140 * i, 20, 20});
  }
  plots.plots.push_back({140 * 39, 140 * 39, 8, 8});  // the smallest
  plots.plots.push_back({5800, 100, 60, 60});
  const std::int64_t last = (140 * 39 + 3) * 6000 + 140 * 39 + 4;
  const auto shows = [](const PictureLayout& layout, std::int64_t pixel) {
    return !layout.positions_of(pixel, 6000).empty();
  };
  const PictureLayout without = plots.layout();
  CHECK(without.tiles.size() == kMostPictureTiles);
  CHECK(without.places == 41);
  CHECK(shows(without, 130 * 6000 + 5830));
  CHECK_FALSE(shows(without, last));
  CHECK(shows(plots.layout({last}), last));
}

TEST_CASE("a pixel of the raster is found in the tiles that show it") {
  const PictureLayout reduced = picture_of({0, 0, 1280, 640});
  CHECK(reduced.positions_of(1280 * 3 + 5, 1280) == std::vector<Index>{640 + 2});
  PictureLayout tiles;
  tiles.width = 10;
  tiles.height = 4;
  tiles.tiles = {{{0, 0, 4, 4}, 0, 0, 4, 4}, {{2, 0, 4, 4}, 6, 0, 4, 4}};
  CHECK(tiles.positions_of(100 + 3, 100) == std::vector<Index>{13, 17});
  CHECK(tiles.positions_of(9, 100).empty());
}

}  // namespace parsimap::test
