#include "parsimap/mapping/block_plan.hpp"

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

}  // namespace

std::vector<Window> plan_blocks(const RasterGrid& grid, Index block_width, Index block_height, Index max_pixels) {
  Index cell_width = std::clamp<Index>(block_width, 1, grid.width);
  Index cell_height = std::clamp<Index>(block_height, 1, grid.height);
  std::vector<Window> windows;
  if (const Index most_blocks = max_pixels / (cell_width * cell_height); most_blocks > 1) {
    square_of_blocks(grid, most_blocks, cell_width, cell_height, max_pixels);
  }
  const Index piece_width = std::min(cell_width, max_pixels);
  const Index piece_height = std::clamp<Index>(max_pixels / piece_width, 1, cell_height);
  cut(0, grid.height, cell_height, [&](Index row, Index height) {
    cut(0, grid.width, cell_width, [&](Index column, Index width) {
      add_pieces({column, row, width, height}, piece_width, piece_height, windows);
    });
  });
  return windows;
}

}  // namespace parsimap
