// The principal components of a scene, kept for as many of its pixels as a budget of memory allows.
//
// The grid is cut into cells. What is asked for is read cell by cell, each only once as long as it is kept; those that
// were not asked for the longest are forgotten first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "parsimap/morphology/extended_profile.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/scene/window_reader.hpp"

namespace parsimap {

// A window that is too large to be read at once, piece by piece.

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
      const Index height = std::max<Index>(1, pixels / block.width);
      std::ranges::for_each(tiles_of(block, std::min(block.width, pixels), height), use);
    });
  }
}

class ComponentCells {
 public:
  // Components of `design` of the values in `bands` of the scene, both kept by the caller. `keep_bytes` for cells that
  // are kept, `read_bytes` for spectra that are read at once.
  ComponentCells(SceneSource& scene, const Indices& bands, const ProfileDesign& design, std::int64_t keep_bytes,
                 std::int64_t read_bytes);

  // Takes from what was read of a window already (pixels x d or more, the first d of which are those of the bands) the
  // cells that touch `wanted` and lie in the window as a whole.
  void offer(const Window& window, const Spectra& values, const Window& wanted);
  // Reads the cells of a window that are missing, so that all are there until trim() is called.
  void fetch(const Window& window);
  // The components of a window whose part inside of the grid has been fetched. A pixel outside of the grid, or without
  // a value in all bands, is NaN in all of them. False where all are; the images are left alone then.
  bool components(const Window& window, std::vector<Image>& images);
  // Forgets cells beyond the budget.
  void trim();

  [[nodiscard]] bool fits(const Window& window) const;
  // Bytes of the cells that touch as many rows of the whole width of a scene.
  static std::int64_t row_bytes(const SceneSource& scene, Index rows, Index components);

 private:
  struct Cell {
    std::vector<float> values;           // for each component the pixels, row by row; empty where none has a value
    std::list<Index>::iterator recency;  // in recent_
  };
  struct Range {  // of cells, last exclusive
    Index first_column, first_row, last_column, last_row;
  };

  [[nodiscard]] Range range_of(const Window& window) const;
  [[nodiscard]] Index number(Index column, Index row) const { return row * columns_ + column; }
  [[nodiscard]] Window window_of(Index column, Index row) const;
  Cell& add(Index number);
  void read(const Range& cells);
  void put(Index column, Index row, const float* spectrum);
  void settle(const Range& cells);

  SceneSource& scene_;
  ComponentValues components_;
  WindowReader reader_;
  Index bands_;
  std::int64_t keep_bytes_;
  Index read_pixels_;
  Index width_ = 1;  // of a cell
  Index height_ = 1;
  Index columns_ = 1;  // of cells
  std::unordered_map<Index, Cell> cells_;
  std::list<Index> recent_;  // the last one asked for first
  std::int64_t kept_bytes_ = 0;
  std::vector<float> pixel_;
  Index put_number_ = -1;  // of the cell that put() was called for last, until cells are forgotten
  Cell* put_cell_ = nullptr;
};

}  // namespace parsimap
