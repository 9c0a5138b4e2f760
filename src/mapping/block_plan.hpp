// The windows in which a grid is read and written: few, large, and made of whole storage blocks.
#pragma once

#include <vector>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// Windows that cover `grid` exactly, none larger than `max_pixels` (>= 1). Storage blocks as wide as the grid (lines,
// strips) are joined to strips, smaller ones (tiles) to squares. A storage block larger than `max_pixels` is split into
// strips, a row of it that is larger still into segments; the pieces of one block follow each other, so that a cache
// of one block is enough.
std::vector<Window> plan_blocks(const RasterGrid& grid, Index block_width, Index block_height, Index max_pixels);

// The cells of a grid: `width` x `height` pixels, less at the right and lower border.
struct CellGrid {
  Index grid_width = 0;
  Index grid_height = 0;
  Index width = 0;
  Index height = 0;

  [[nodiscard]] Index columns() const { return (grid_width + width - 1) / width; }
  [[nodiscard]] Index rows() const { return (grid_height + height - 1) / height; }
  // The cell in a row and column of cells.
  [[nodiscard]] Window cell(Index cell_column, Index cell_row) const;
};

// The windows of plan_blocks() with the pieces of split storage blocks in the order of the grid, not of the blocks.
CellGrid plan_cells(const RasterGrid& grid, Index block_width, Index block_height, Index max_pixels);

}  // namespace parsimap
