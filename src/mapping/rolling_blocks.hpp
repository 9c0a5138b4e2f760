// Overlapping blocks out of cells that do not overlap: what neighbourhoods need is kept, so that every pixel is
// computed once.
#pragma once

#include <vector>

#include "parsimap/mapping/pixel_block.hpp"

#include "block_plan.hpp"

namespace parsimap {

// Takes the cells row by row. A pixel is complete when all pixels at most `reach` columns and rows away are there; the
// complete pixels of each step are a rectangle, and these rectangles cover the grid exactly: the cells, moved by
// `reach` to the left and up.
// Kept are the last 2 * reach columns of the row of cells in work and the last 2 * reach rows of the grid above.
class RollingBlocks {
 public:
  RollingBlocks(const CellGrid& cells, Index values, Index reach);

  // The valid pixels of the next cell (none: zero rows); values is n x `values`. False when neither they nor what is
  // kept hold a value: then nothing is complete that has one, and block() and complete() may not be asked for.
  bool add(const ValidPixels& pixels, const Spectra& values);

  // The block that holds complete() and all pixels at most `reach` away from it.
  [[nodiscard]] const PixelBlock& block() const { return block_; }
  [[nodiscard]] const Window& complete() const { return complete_; }

  static std::int64_t bytes(const CellGrid& cells, Index values, Index reach);

 private:
  void assemble(const Window& cell);
  void keep(const Window& cell);
  void step();

  CellGrid cells_;
  Index reach_;
  Index cell_column_ = 0;
  Index cell_row_ = 0;
  PixelBlock block_;
  Window complete_;
  bool left_filled_ = false;        // the kept columns, which are still in the block
  Spectra above_;                   // the kept rows: 2 reach x (grid width * channels)
  Spectra next_above_;              // those of the row of cells in work
  std::vector<bool> above_filled_;  // by cell column
  std::vector<bool> next_above_filled_;
};

}  // namespace parsimap
