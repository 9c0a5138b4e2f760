// A window that is too large to be read at once, piece by piece.
#pragma once

#include <algorithm>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// Calls use() with pieces of at most `pixels` (>= 1) that cover the window: as many whole rows as that is, or parts of
// one row.
template <typename Use>
void for_pieces(const Window& window, Index pixels, const Use& use) {
  const Index width = std::min(window.width, pixels);
  const Index height = std::max<Index>(1, pixels / std::max<Index>(1, window.width));
  for (Index row = 0; row < window.height; row += height) {
    for (Index column = 0; column < window.width; column += width) {
      use(Window{window.column + column, window.row + row, std::min(width, window.width - column),
                 std::min(height, window.height - row)});
    }
  }
}

// The part of a window that lies in another one; of no pixels where none does.
inline Window overlap(const Window& a, const Window& b) {
  const Index column = std::max(a.column, b.column);
  const Index row = std::max(a.row, b.row);
  return {column, row, std::max<Index>(0, std::min(a.column + a.width, b.column + b.width) - column),
          std::max<Index>(0, std::min(a.row + a.height, b.row + b.height) - row)};
}

}  // namespace parsimap
