#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "parsimap/scene/quicklook.hpp"

namespace parsimap {
namespace {

constexpr double kSparse = 0.05;    // share of data below which a picture would be all but empty
constexpr Index kSmallestTile = 8;  // pixels of the raster along a side
constexpr Index kLargestTile = 96;
constexpr Index kGutter = 2;          // pixels of the picture between tiles
constexpr Index kTrimmed = 1 << 16U;  // pixels of a window that are looked at for a close fit

// Places where data lie together, in the pixels of the coarse picture.
struct Place {
  PixelBounds box;
  std::int64_t cells = 0;
  std::int64_t preferred = 0;
};

PixelBounds box_of(const PictureLayout& coarse, const std::vector<bool>& has_data) {
  PixelBounds box;
  for (Index i = 0; i < coarse.pixels(); ++i) {
    if (has_data[static_cast<std::size_t>(i)]) {
      box.add(i % coarse.width, i / coarse.width);
    }
  }
  return box;
}

// The part of the raster that a box of the coarse picture stands for; where that is reduced, with a pixel of it more
// on every side, since data may begin before its middle.
Window window_of(const PixelBounds& box, const PictureLayout& coarse, const RasterGrid& grid) {
  // Pixel i of `count` in the coarse picture stands for the pixels from i size / count to (i + 1) size / count of the
  // raster, the first rounded down and the second rounded up.
  const auto along = [](Index first, Index last, Index count, Index size) {
    const Index margin = count < size ? 1 : 0;
    const Index begin = std::max<Index>(0, first - margin) * size / count;
    const Index end = std::min(size, ((std::min(count, last + 1 + margin)) * size + count - 1) / count);
    return std::pair(begin, end - begin);
  };
  const auto [column, width] = along(box.left, box.right, coarse.width, grid.width);
  const auto [row, height] = along(box.top, box.bottom, coarse.height, grid.height);
  return {column, row, width, height};
}

// Numbers the places, which are connected over edges and corners, in `place_of`; -1 without data.
std::vector<Place> places_of(const PictureLayout& coarse, const std::vector<bool>& has_data, Indices& place_of) {
  std::vector<Place> places;
  place_of.assign(has_data.size(), -1);
  Indices waiting;
  const auto take = [&](Index x, Index y) {
    const auto at = static_cast<std::size_t>(y * coarse.width + x);
    if (x >= 0 && x < coarse.width && y >= 0 && y < coarse.height && has_data[at] && place_of[at] < 0) {
      place_of[at] = static_cast<Index>(places.size()) - 1;
      places.back().box.add(x, y);
      ++places.back().cells;
      waiting.push_back(y * coarse.width + x);
    }
  };
  // Connected areas are found by filling: from every pixel with data that has no place yet, all that is reached over
  // edges and corners belongs to the same place.
  for (Index i = 0; i < coarse.pixels(); ++i) {
    if (!has_data[static_cast<std::size_t>(i)] || place_of[static_cast<std::size_t>(i)] >= 0) {
      continue;
    }
    places.emplace_back();
    take(i % coarse.width, i / coarse.width);
    while (!waiting.empty()) {
      const Index x = waiting.back() % coarse.width;
      const Index y = waiting.back() / coarse.width;
      waiting.pop_back();
      for (Index step = 0; step < 9; ++step) {
        take(x + step % 3 - 1, y + step / 3 - 1);
      }
    }
  }
  return places;
}

void count_preferred(const RasterGrid& grid, const PictureLayout& coarse, const std::vector<std::int64_t>& preferred,
                     const Indices& place_of, std::vector<Place>& places) {
  for (const std::int64_t pixel : preferred) {
    const Index x = pixel % grid.width * coarse.width / grid.width;
    const Index y = pixel / grid.width * coarse.height / grid.height;
    // A place may begin in the pixel of the picture beside it.
    std::optional<Index> found;
    // The nine pixels of a 3 x 3 neighbourhood in an order that begins with the middle one.
    for (Index step = 0; step < 9 && !found; ++step) {
      const Index near_x = x + (step + 1) % 3 - 1;
      const Index near_y = y + (step / 3 + 1) % 3 - 1;
      if (near_x >= 0 && near_x < coarse.width && near_y >= 0 && near_y < coarse.height) {
        const Index place = place_of[static_cast<std::size_t>(near_y * coarse.width + near_x)];
        found = place < 0 ? found : std::optional(place);
      }
    }
    if (found) {
      ++places[static_cast<std::size_t>(*found)].preferred;
    }
  }
}

// The rectangle around the data in the window, or the window where it is large or holds none.
Window fitted_to_data(const Window& window, const DataTest& test) {
  if (window.pixels() > kTrimmed) {
    return window;
  }
  const std::vector<bool> has_data = test(window);
  PixelBounds box;
  for (Index i = 0; i < window.pixels(); ++i) {
    if (has_data[static_cast<std::size_t>(i)]) {
      box.add(i % window.width, i / window.width);
    }
  }
  if (box.empty()) {
    return window;
  }
  const Window part = box.window();
  return {window.column + part.column, window.row + part.row, part.width, part.height};
}

// A square of `side` pixels about the middle of the window, inside of the grid.
// Smaller than `side` where the grid is smaller.
Window square_about(const Window& window, Index side, const RasterGrid& grid) {
  // Centred on the window, and moved back into the grid where it would leave it.
  const auto begin = [side](Index first, Index length, Index size) {
    return std::clamp<Index>(first + (length - side) / 2, 0, std::max<Index>(0, size - side));
  };
  return {begin(window.column, window.width, grid.width), begin(window.row, window.height, grid.height),
          std::min(side, grid.width), std::min(side, grid.height)};
}

PictureLayout sheet_of(std::vector<Window> windows, Index side, const RasterGrid& grid) {
  for (Window& window : windows) {
    window = square_about(window, side, grid);
  }
  std::sort(windows.begin(), windows.end(),
            [](const Window& a, const Window& b) { return std::pair(a.row, a.column) < std::pair(b.row, b.column); });
  const auto count = static_cast<Index>(windows.size());
  // About 1.5 times as many tiles in a row as in a column make a sheet of the shape of a screen.
  const auto columns = static_cast<Index>(std::ceil(std::sqrt(1.5 * static_cast<double>(count))));
  const Index rows = (count + columns - 1) / columns;
  PictureLayout layout;
  for (Index i = 0; i < count; ++i) {
    const Window& window = windows[static_cast<std::size_t>(i)];
    layout.tiles.push_back(
        {window, i % columns * (side + kGutter), i / columns * (side + kGutter), window.width, window.height});
  }
  layout.width = std::min(count, columns) * (side + kGutter) - kGutter;
  layout.height = rows * (side + kGutter) - kGutter;
  return layout;
}

}  // namespace

std::vector<Index> PictureLayout::positions_of(std::int64_t pixel, Index raster_width) const {
  // A pixel may be shown by several tiles, which may overlap, and by none.
  std::vector<Index> positions;
  const Index column = pixel % raster_width;
  const Index row = pixel / raster_width;
  for (const PictureTile& tile : tiles) {
    const Index x = column - tile.source.column;
    const Index y = row - tile.source.row;
    if (x >= 0 && x < tile.source.width && y >= 0 && y < tile.source.height) {
      positions.push_back((tile.top + y * tile.height / tile.source.height) * width + tile.left +
                          x * tile.width / tile.source.width);
    }
  }
  return positions;
}

PictureLayout picture_of(const Window& window) {
  const Index longest = std::max(window.width, window.height);
  // A picture is never larger than the raster, and its longer side has at most kLongestPictureSide pixels.
  // Both sides are reduced by the same factor, and have at least one pixel.
  const double factor = std::min(1.0, static_cast<double>(kLongestPictureSide) / static_cast<double>(longest));
  const auto reduced = [factor](Index size) {
    return std::max<Index>(1, std::lround(factor * static_cast<double>(size)));
  };
  PictureLayout layout;
  layout.width = reduced(window.width);
  layout.height = reduced(window.height);
  layout.tiles = {{window, 0, 0, layout.width, layout.height}};
  return layout;
}

PictureLayout choose_layout(const RasterGrid& grid, const PictureLayout& coarse, const std::vector<bool>& has_data,
                            const DataTest& test, const std::vector<std::int64_t>& preferred) {
  const PixelBounds box = box_of(coarse, has_data);
  const auto cells = std::count(has_data.begin(), has_data.end(), true);
  if (cells == 0) {
    return coarse;
  }
  // Two cases remain: data that fill enough of their bounding box for one picture of it, and data in few small places,
  // which would be lost in a picture of the whole.
  if (static_cast<double>(cells) >= kSparse * static_cast<double>(box.window().pixels())) {
    const Window window = window_of(box, coarse, grid);
    return picture_of(coarse.width < grid.width ? fitted_to_data(window, test) : window);
  }
  // Data in few places: each connected place becomes a tile, those first that hold most of what is preferred, then
  // the largest.
  Indices place_of;
  std::vector<Place> places = places_of(coarse, has_data, place_of);
  count_preferred(grid, coarse, preferred, place_of, places);
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::pair(a.preferred, a.cells) > std::pair(b.preferred, b.cells);
  });
  std::vector<Window> windows;
  // All tiles have the side of the largest place, up to kLargestTile, and one pixel of the picture is one of the
  // raster.
  Index side = kSmallestTile;
  for (std::size_t i = 0; i < std::min(places.size(), kMostPictureTiles); ++i) {
    windows.push_back(fitted_to_data(window_of(places[i].box, coarse, grid), test));
    side = std::max({side, windows.back().width, windows.back().height});
  }
  PictureLayout layout = sheet_of(windows, std::min(side, kLargestTile), grid);
  layout.places = static_cast<Index>(places.size());
  return layout;
}

}  // namespace parsimap
