// A window that is too large to be read at once, piece by piece.
#pragma once

#include <algorithm>

#include "parsimap/scene/raster.hpp"

namespace parsimap {

// The part of a window that lies in another one; of no pixels where none does.
inline Window overlap(const Window& a, const Window& b) {
  const Index column = std::max(a.column, b.column);
  const Index row = std::max(a.row, b.row);
  return {column, row, std::max<Index>(0, std::min(a.column + a.width, b.column + b.width) - column),
          std::max<Index>(0, std::min(a.row + a.height, b.row + b.height) - row)};
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

// Calls use() with pieces of at most `pixels` (>= 1) that cover the window. They are made of whole storage blocks, of
// the size given, where these fit; those of one storage block that does not follow each other.
template <typename Use>
void for_pieces(const Window& window, Index block_width, Index block_height, Index pixels, const Use& use) {
  const Index width = std::max<Index>(1, window.width);
  if (width * block_height <= pixels) {
    // Rows of blocks. The pieces are as wide as the window, wherever it begins.
    const Index height = pixels / width / block_height * block_height;
    for_tiles(window, window.column + width, height, use);
  } else if (block_width * block_height <= pixels) {
    for_tiles(window, pixels / block_height / block_width * block_width, block_height, use);
  } else {
    for_tiles(window, block_width, block_height, [&](const Window& block) {
      const Index part = std::min(block.width, pixels);
      for (Index row = 0; row < block.height; row += std::max<Index>(1, pixels / block.width)) {
        for (Index column = 0; column < block.width; column += part) {
          use(overlap(block, {block.column + column, block.row + row, part, std::max<Index>(1, pixels / block.width)}));
        }
      }
    });
  }
}

}  // namespace parsimap
