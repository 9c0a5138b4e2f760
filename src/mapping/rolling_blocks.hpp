// Overlapping blocks out of windows that do not overlap. The probabilities of a window's last columns and rows are
// needed once more for the neighbourhoods of the next windows; they are kept, so that every pixel is evaluated once.
#pragma once

#include <vector>

#include "parsimap/spatial/regularisation.hpp"

#include "windows.hpp"

namespace parsimap {

// Takes the windows row by row. A pixel is complete when all pixels at most `reach` columns and rows away are there.
// The complete pixels of each step are a rectangle, and these rectangles cover the rows of the windows exactly: they
// are the windows, moved by `reach` to the left and up. Pixels beyond these rows are no neighbours. Kept are the last 2
// * reach columns of the row of windows in work and the last 2 * reach rows of the grid above: `reach` of them are
// complete only later, and as many are their neighbours.
class RollingBlocks {
 public:
  RollingBlocks(const WindowGrid& windows, Index values, Index reach);

  // Takes the valid pixels of the next window (none: zero rows); values is n x `values`. False when neither they nor
  // what is kept hold a value: then nothing is complete that has one, and block() and complete() may not be asked for.
  bool add(const ValidPixels& pixels, const Spectra& values);

  // The block that holds complete() and all pixels at most `reach` away from it.
  [[nodiscard]] const PixelBlock& block() const { return block_; }
  [[nodiscard]] const Window& complete() const { return complete_; }

  static std::int64_t bytes(const WindowGrid& windows, Index values, Index reach);

 private:
  void assemble(const Window& added);
  void keep(const Window& added);
  void step();

  WindowGrid windows_;
  Index reach_;
  Index column_of_windows_ = 0;
  Index row_of_windows_ = 0;
  PixelBlock block_;
  Window complete_;
  bool left_filled_ = false;        // the kept columns, which are still in the block
  Spectra above_;                   // the kept rows: 2 reach x (grid width * channels)
  Spectra next_above_;              // the rows to keep for the next row of windows
  std::vector<bool> above_filled_;  // by added column
  std::vector<bool> next_above_filled_;
};

}  // namespace parsimap
