#include "mapping/windows.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "support/memory_scene.hpp"
#include "unit/spatial/random_picture.hpp"

using namespace parsimap;

namespace {

RasterGrid grid_of(Index width, Index height) {
  RasterGrid grid;
  grid.width = width;
  grid.height = height;
  return grid;
}

// How often every pixel of the grid is covered.
std::vector<int> coverage(const RasterGrid& grid, const std::vector<Window>& windows) {
  std::vector<int> count(static_cast<std::size_t>(grid.pixels()), 0);
  for (const Window& window : windows) {
    for (Index row = window.row; row < window.row + window.height; ++row) {
      for (Index column = window.column; column < window.column + window.width; ++column) {
        ++count.at(static_cast<std::size_t>(row * grid.width + column));
      }
    }
  }
  return count;
}

bool on_blocks(Index start, Index length, Index block, Index size) {
  return start % block == 0 && (length % block == 0 || start + length == size);
}

}  // namespace

TEST_CASE("windows cover the grid exactly and stay within the limit") {
  int plans = 0;
  for (const auto& [width, height] : {std::pair<Index, Index>{1, 1}, {83, 86}, {100, 7}, {7, 100}, {64, 64}}) {
    for (const auto& [block_width, block_height] :
         {std::pair<Index, Index>{width, 1}, {width, 5}, {16, 16}, {30, 8}, {1, 1}, {500, 500}, {width, height}}) {
      for (const Index limit : {Index{1}, Index{10}, Index{100}, Index{1000}, Index{100000}}) {
        const RasterGrid grid = grid_of(width, height);
        const std::vector<Window> windows = plan_windows(grid, {0, grid.height}, block_width, block_height, limit);
        const std::vector<int> count = coverage(grid, windows);
        REQUIRE(std::all_of(count.begin(), count.end(), [](int times) { return times == 1; }));
        REQUIRE(std::all_of(windows.begin(), windows.end(),
                            [&](const Window& window) { return window.pixels() >= 1 && window.pixels() <= limit; }));
        ++plans;
      }
    }
  }
  CHECK(plans == 5 * 7 * 5);
}

TEST_CASE("windows are whole storage blocks as long as one fits") {
  const RasterGrid grid = grid_of(500, 300);
  for (const auto& [block_width, block_height] : {std::pair<Index, Index>{500, 1}, {500, 6}, {64, 64}, {32, 48}}) {
    for (const Index limit : {block_width * block_height, Index{5000}, Index{20000}, Index{90000}}) {
      for (const Window& window : plan_windows(grid, {0, grid.height}, block_width, block_height, limit)) {
        CHECK(on_blocks(window.column, window.width, block_width, 500));
        CHECK(on_blocks(window.row, window.height, block_height, 300));
      }
      if (limit >= 90000) {
        break;
      }
    }
  }
}

TEST_CASE("lines are joined to windows as wide as the grid, and tiles to squares") {
  const std::vector<Window> strips = plan_windows(grid_of(1000, 1000), {0, 1000}, 1000, 1, 100000);
  CHECK(strips.size() == 10);
  CHECK(strips[1] == Window{0, 100, 1000, 100});
  const std::vector<Window> squares = plan_windows(grid_of(1000, 1000), {0, 1000}, 50, 50, 100000);
  CHECK(squares.front() == Window{0, 0, 300, 300});
  const std::vector<Window> whole = plan_windows(grid_of(1000, 1000), {0, 1000}, 50, 50, 1000000);
  CHECK(whole.size() == 1);
}

TEST_CASE("a block that is too large is split, and its pieces follow each other") {
  const std::vector<Window> windows = plan_windows(grid_of(20, 8), {0, 8}, 10, 8, 30);
  REQUIRE(windows.size() == 6);
  CHECK(windows[0] == Window{0, 0, 10, 3});
  CHECK(windows[2] == Window{0, 6, 10, 2});
  CHECK(windows[3] == Window{10, 0, 10, 3});
  const std::vector<Window> segments = plan_windows(grid_of(20, 2), {0, 2}, 20, 2, 8);
  REQUIRE(segments.size() == 6);
  CHECK(segments[2] == Window{16, 0, 4, 1});
}

TEST_CASE("windows are the windows of the plan in the order of the grid") {
  const WindowGrid windows = window_grid(grid_of(20, 8), {0, 8}, 10, 8, 30);
  CHECK(windows.width == 10);
  CHECK(windows.height == 3);
  CHECK(windows.columns() == 2);
  CHECK(windows.rows() == 3);
  CHECK(windows.window(1, 0) == Window{10, 0, 10, 3});
  CHECK(windows.window(0, 2) == Window{0, 6, 10, 2});
  const WindowGrid whole = window_grid(grid_of(20, 8), {0, 8}, 5, 4, 1000);
  CHECK(whole.window(0, 0) == Window{0, 0, 20, 8});
}

TEST_CASE("windows of some rows are those of the whole grid without what lies above and below") {
  const RasterGrid grid = grid_of(83, 86);
  for (const ItemRange& rows : {ItemRange{0, 86}, {0, 1}, {13, 14}, {16, 48}, {20, 71}, {85, 86}, {40, 40}}) {
    for (const auto& [block_width, block_height] : {std::pair<Index, Index>{83, 1}, {16, 16}, {30, 8}, {83, 86}}) {
      for (const Index limit : {Index{10}, Index{1000}, Index{100000}}) {
        const std::vector<int> count = coverage(grid, plan_windows(grid, rows, block_width, block_height, limit));
        const WindowGrid windows = window_grid(grid, rows, block_width, block_height, limit);
        std::vector<Window> in_grid;
        for (Index i = 0; rows.size() > 0 && i < windows.rows() * windows.columns(); ++i) {
          in_grid.push_back(windows.window(i % windows.columns(), i / windows.columns()));
        }
        CHECK(coverage(grid, in_grid) == count);
        for (Index pixel = 0; pixel < grid.pixels(); ++pixel) {
          const Index row = pixel / grid.width;
          REQUIRE(count[static_cast<std::size_t>(pixel)] == (row >= rows.first && row < rows.last ? 1 : 0));
        }
      }
    }
  }
}

TEST_CASE("the windows of few rows of a large grid are planned without the others") {
  const RasterGrid grid = grid_of(100'000'000, 100'000'000);
  const std::vector<Window> windows = plan_windows(grid, {50'000'256, 50'000'512}, 256, 256, 1 << 20);
  CHECK(windows.front().row == 50'000'256);
  CHECK(windows.size() < 200'000);
}

namespace {

test::MemoryScene scene_of_rows() {
  Spectra values(12, 1);
  for (Index i = 0; i < 12; ++i) {
    values(i, 0) = static_cast<float>(i);
  }
  RasterGrid grid;
  grid.width = 4;
  grid.height = 3;
  return {"scene", grid, BandTable(1), values};
}

}  // namespace

TEST_CASE("windows come in their order, with their pixels and the share done so far") {
  test::MemoryScene scene = scene_of_rows();
  std::vector<float> firsts;
  std::vector<double> shares;
  const double seconds = for_each_window(
      scene, {0}, {{0, 2, 4, 1}, {0, 0, 4, 2}},
      [&](const ValidSpectra& input) {
        CHECK(input.spectra.rows() == input.window.pixels());
        firsts.push_back(input.spectra(0, 0));
      },
      [&](double share) { shares.push_back(share); });
  CHECK(firsts == std::vector<float>{8, 0});
  CHECK(shares == std::vector<double>{4.0 / 12, 1});
  CHECK(seconds >= 0);
}

TEST_CASE("what is thrown on the way ends the loop") {
  test::MemoryScene scene = scene_of_rows();
  int used = 0;
  const auto fail = [&](const ValidSpectra&) {
    ++used;
    throw std::runtime_error("enough");
  };
  CHECK_THROWS_WITH(for_each_window(scene, {0}, {{0, 0, 4, 1}, {0, 1, 4, 1}}, fail, {}), "enough");
  CHECK(used == 1);
}

namespace parsimap::test {
namespace {

// Feeds all windows of a picture; checks that every complete rectangle has the right neighbourhood, and counts how
// often every pixel with a value has been complete.
std::vector<int> completions(const Picture& picture, const WindowGrid& windows, Index reach) {
  RollingBlocks rolling(windows, picture.classes(), reach);
  std::vector<int> count(static_cast<std::size_t>(picture.width() * picture.height()), 0);
  for (Index i = 0; i < windows.rows() * windows.columns(); ++i) {
    ValidPixels pixels;
    Spectra probabilities;
    picture.read(windows.window(i % windows.columns(), i / windows.columns()), pixels, probabilities);
    if (!rolling.add(pixels, probabilities)) {
      continue;
    }
    const Window complete = rolling.complete();
    const Index right = std::min(picture.width(), complete.column + complete.width + reach);
    const Index bottom = std::min(picture.height(), complete.row + complete.height + reach);
    for (Index row = std::max<Index>(0, complete.row - reach); row < bottom; ++row) {
      for (Index column = std::max<Index>(0, complete.column - reach); column < right; ++column) {
        REQUIRE(rolling.block().has_value(column, row) == picture.valid(column, row));
        for (Index c = 0; c < picture.classes() && picture.valid(column, row); ++c) {
          REQUIRE(static_cast<double>(rolling.block().pixel(column, row)[c]) == picture.probabilities(column, row)[c]);
        }
      }
    }
    for (Index row = complete.row; row < complete.row + complete.height; ++row) {
      for (Index column = complete.column; column < complete.column + complete.width; ++column) {
        ++count[static_cast<std::size_t>(row * picture.width() + column)];
      }
    }
  }
  return count;
}

}  // namespace

TEST_CASE("every pixel is complete once, with its whole neighbourhood") {
  for (const double holes : {0.0, 0.5, 0.995}) {
    const Picture picture(31, 22, 2, holes);
    for (const auto& size :
         {std::pair<Index, Index>{31, 22}, {31, 1}, {31, 5}, {8, 8}, {1, 1}, {3, 22}, {10, 2}, {30, 21}}) {
      const Index width = size.first;
      const Index height = size.second;
      for (const Index reach : {1, 3, 7, 40}) {
        CAPTURE(width);
        CAPTURE(height);
        CAPTURE(reach);
        const std::vector<int> count = completions(picture, {31, {0, 22}, width, height}, reach);
        for (Index i = 0; i < picture.width() * picture.height(); ++i) {
          const int times = count[static_cast<std::size_t>(i)];
          if (picture.valid(i % picture.width(), i / picture.width())) {
            REQUIRE(times == 1);
          }
          REQUIRE(times <= 1);
        }
      }
    }
  }
}

TEST_CASE("where nothing is near, nothing is complete") {
  const WindowGrid windows{20, {0, 20}, 5, 5};
  RollingBlocks rolling(windows, 1, 2);
  int filled = 0;
  for (Index i = 0; i < 16; ++i) {
    const bool here = i == 5;  // second window of the second row
    const ValidPixels pixels{{5, 5, 1, 1}, {}};
    filled += rolling.add(here ? pixels : ValidPixels{windows.window(i % 4, i / 4), {}}, Spectra::Ones(here ? 1 : 0, 1))
                  ? 1
                  : 0;
  }
  // The pixel lies more than 4 columns and rows before the end of its window.
  CHECK(filled == 1);
}

}  // namespace parsimap::test
