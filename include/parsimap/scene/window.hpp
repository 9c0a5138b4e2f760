// Windows of rasters: how they overlap, how they are cut into smaller ones, and which holds given pixels.
#pragma once

#include <algorithm>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// A window: a rectangle of pixels that is read or written at once, by its first column and row and its size.
struct Window {
  Index column = 0;
  Index row = 0;
  Index width = 0;
  Index height = 0;

  [[nodiscard]] Index pixels() const { return width * height; }
  bool operator==(const Window&) const = default;
};

// The part of a window that lies in another one; of no pixels where none does.
inline Window overlap(const Window& a, const Window& b) {
  const Index column = std::max(a.column, b.column);
  const Index row = std::max(a.row, b.row);
  return {column, row, std::max<Index>(0, std::min(a.column + a.width, b.column + b.width) - column),
          std::max<Index>(0, std::min(a.row + a.height, b.row + b.height) - row)};
}

// The smallest window that both windows lie in.
inline Window around(const Window& a, const Window& b) {
  const Index column = std::min(a.column, b.column);
  const Index row = std::min(a.row, b.row);
  return {column, row, std::max(a.column + a.width, b.column + b.width) - column,
          std::max(a.row + a.height, b.row + b.height) - row};
}

// The window and what lies at most `reach` pixels around it, as far as they lie in the area.
inline Window with_surroundings(const Window& window, Index reach, const Window& area) {
  return overlap({window.column - reach, window.row - reach, window.width + 2 * reach, window.height + 2 * reach},
                 area);
}

// Windows of at most `width` x `height` pixels that cover the area, row by row of them from its upper left corner.
inline std::vector<Window> tiles_of(const Window& area, Index width, Index height) {
  std::vector<Window> tiles;
  for (Index row = area.row; row < area.row + area.height; row += height) {
    for (Index column = area.column; column < area.column + area.width; column += width) {
      tiles.push_back(overlap({column, row, width, height}, area));
    }
  }
  return tiles;
}

// Calls use() with the parts of the window in the tiles of a grid, row by row of tiles, which begin at multiples of
// their size.
template <typename Use>
void for_tiles(const Window& window, Index width, Index height, const Use& use) {
  for (Index row = window.row / height * height; row < window.row + window.height; row += height) {
    for (Index column = window.column / width * width; column < window.column + window.width; column += width) {
      use(overlap(window, {column, row, width, height}));
    }
  }
}

// Windows of whole rows that cover the area from top to bottom, each of at most `pixels` pixels, but of one row at
// least. By default few enough pixels for a raster of any size: about a million.
inline std::vector<Window> row_strips(const Window& area, Index pixels = Index{1} << 20) {
  const Index width = std::max<Index>(1, area.width);
  return tiles_of(area, width, std::max<Index>(1, pixels / width));
}

// The smallest window that holds the pixels added: by its first and last column and row.
struct PixelBounds {
  Index left = 0;
  Index top = 0;
  Index right = -1;
  Index bottom = -1;

  void add(Index column, Index row) {
    const bool first = empty();
    left = first ? column : std::min(left, column);
    right = first ? column : std::max(right, column);
    top = first ? row : std::min(top, row);
    bottom = first ? row : std::max(bottom, row);
  }
  [[nodiscard]] bool empty() const { return right < left; }
  // The smallest window around the pixels; its width and height are 0 without any.
  [[nodiscard]] Window window() const { return {left, top, right - left + 1, bottom - top + 1}; }
};

// Of pixels that are counted row by row of a raster of this width.
template <typename Pixels>
PixelBounds bounds_of(Pixels&& pixels, Index width) {
  PixelBounds bounds;
  for (const Index pixel : pixels) {
    bounds.add(pixel % width, pixel / width);
  }
  return bounds;
}

}  // namespace parsimap
