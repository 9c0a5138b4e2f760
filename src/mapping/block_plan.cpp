#include "block_plan.hpp"

#include <algorithm>
#include <cmath>

namespace parsimap {
namespace {

// Calls use(first, length) for the pieces of at most `piece` that cover [first, last).
template <typename Use>
void cut(Index first, Index last, Index piece, const Use& use) {
  for (Index start = first; start < last; start += piece) {
    use(start, std::min(piece, last - start));
  }
}

// Pieces of `window`, of at most `piece_width` x `piece_height`.
void add_pieces(const Window& window, Index piece_width, Index piece_height, std::vector<Window>& windows) {
  cut(window.row, window.row + window.height, piece_height, [&](Index row, Index height) {
    cut(window.column, window.column + window.width, piece_width, [&](Index column, Index width) {
      windows.push_back({column, row, width, height});
    });
  });
}

// Whole blocks side by side and above each other that make a window about square.
void square_of_blocks(const RasterGrid& grid, Index most_blocks, Index& width, Index& height, Index max_pixels) {
  const auto side = static_cast<Index>(std::sqrt(static_cast<double>(max_pixels)));
  const Index block_width = width;
  const Index block_height = height;
  const Index across = std::clamp<Index>(side / block_width, 1, most_blocks);
  width = std::min(grid.width, across * block_width);
  height = std::max<Index>(1, max_pixels / (width * block_height)) * block_height;
}

// Whole storage blocks of at most `max_pixels`, or one that is larger.
Window whole_blocks(const RasterGrid& grid, Index block_width, Index block_height, Index max_pixels) {
  Window cell{0, 0, std::clamp<Index>(block_width, 1, grid.width), std::clamp<Index>(block_height, 1, grid.height)};
  if (const Index most_blocks = max_pixels / cell.pixels(); most_blocks > 1) {
    square_of_blocks(grid, most_blocks, cell.width, cell.height, max_pixels);
  }
  return cell;
}

// The largest piece of `cell` of at most `max_pixels`: strips of it, or segments of a row.
Window piece_of(const Window& cell, Index max_pixels) {
  const Index width = std::min(cell.width, max_pixels);
  return {0, 0, width, std::clamp<Index>(max_pixels / width, 1, cell.height)};
}

}  // namespace

std::vector<Window> plan_blocks(const RasterGrid& grid, Index block_width, Index block_height, Index max_pixels) {
  const Window cell = whole_blocks(grid, block_width, block_height, max_pixels);
  const Window piece = piece_of(cell, max_pixels);
  std::vector<Window> windows;
  cut(0, grid.height, cell.height, [&](Index row, Index height) {
    cut(0, grid.width, cell.width, [&](Index column, Index width) {
      add_pieces({column, row, width, height}, piece.width, piece.height, windows);
    });
  });
  return windows;
}

Window CellGrid::cell(Index cell_column, Index cell_row) const {
  const Index column = cell_column * width;
  const Index row = cell_row * height;
  return {column, row, std::min(width, grid_width - column), std::min(height, grid_height - row)};
}

CellGrid plan_cells(const RasterGrid& grid, Index block_width, Index block_height, Index max_pixels) {
  const Window piece = piece_of(whole_blocks(grid, block_width, block_height, max_pixels), max_pixels);
  return {grid.width, grid.height, piece.width, piece.height};
}

}  // namespace parsimap
