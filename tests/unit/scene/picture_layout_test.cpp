#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/scene/quicklook.hpp"

#include "unit/scene/plain_scene.hpp"

namespace parsimap::test {
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
