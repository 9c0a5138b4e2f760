// The windows in which a grid is read and written: few, large, and made of whole storage blocks, because GDAL decodes a
// storage block as a whole whenever one of its pixels is asked for.
#pragma once

#include <vector>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// Windows that cover `grid` exactly, none larger than `max_pixels` (>= 1). Storage blocks as wide as the grid are
// joined to windows as wide as the grid, smaller ones to windows that are about square. A storage block larger than
// `max_pixels` is cut into windows of whole rows, and a row that is larger still into pieces. The windows of one
// storage block follow each other, so that a cache of one storage block is enough.
std::vector<Window> plan_windows(const RasterGrid& grid, Index block_width, Index block_height, Index max_pixels);

// A grid of windows of `width` x `height` pixels, smaller ones at the right and lower border, which are taken row by
// row.
struct WindowGrid {
  Index grid_width = 0;
  Index grid_height = 0;
  Index width = 0;
  Index height = 0;

  [[nodiscard]] Index columns() const { return (grid_width + width - 1) / width; }
  [[nodiscard]] Index rows() const { return (grid_height + height - 1) / height; }
  // The window in this column and row of windows.
  [[nodiscard]] Window window(Index window_column, Index window_row) const;
};

// Windows of the size that plan_windows() takes, as a grid: in the order of the picture and not of the storage blocks,
// which is the order that neighbourhoods need.
WindowGrid window_grid(const RasterGrid& grid, Index block_width, Index block_height, Index max_pixels);

}  // namespace parsimap
