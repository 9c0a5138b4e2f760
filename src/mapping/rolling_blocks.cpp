#include "rolling_blocks.hpp"

#include <algorithm>

namespace parsimap {
namespace {

// Along one side of the columns or rows `all`, of which those before `end` are there: where the complete pixels end.
// The last `reach` of those that are there still lack neighbours, unless nothing comes after them.
Index complete_end(Index end, const ItemRange& all, Index reach) {
  return end == all.last ? all.last : std::max(all.first, end - reach);
}

bool any_value(const PixelBlock& block, const Window& window) {
  for (Index row = window.row; row < window.row + window.height; ++row) {
    for (Index column = window.column; column < window.column + window.width; ++column) {
      if (block.has_value(column, row)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

RollingBlocks::RollingBlocks(const WindowGrid& windows, Index values, Index reach)
    : windows_(windows),
      reach_(reach),
      block_(windows.width + 2 * reach, windows.height + 2 * reach, values, reach),
      above_(2 * reach, windows.grid_width * (values + 1)),
      next_above_(above_.rows(), above_.cols()),
      above_filled_(static_cast<std::size_t>(windows.columns()), false),
      next_above_filled_(above_filled_) {}

std::int64_t RollingBlocks::bytes(const WindowGrid& windows, Index values, Index reach) {
  return PixelBlock::bytes(windows.width + 2 * reach, windows.height + 2 * reach, values, reach) +
         4 * reach * windows.grid_width * (values + 1) * static_cast<Index>(sizeof(float));
}

bool RollingBlocks::add(const ValidPixels& pixels, const Spectra& values) {
  const Window added = windows_.window(column_of_windows_, row_of_windows_);
  const bool filled = left_filled_ || above_filled_[static_cast<std::size_t>(column_of_windows_)] || values.rows() > 0;
  next_above_filled_[static_cast<std::size_t>(column_of_windows_)] = false;
  if (filled) {
    // The block is put together from what was kept and the new window, and what later windows need of it is kept.
    assemble(added);
    block_.fill(pixels, values);
    keep(added);
    // What was complete after the window before and after the row of windows above is not complete anew.
    const Index column = std::max<Index>(0, added.column - reach_);
    const Index row = std::max(windows_.grid_rows.first, added.row - reach_);
    complete_ = {column, row, complete_end(added.column + added.width, {0, windows_.grid_width}, reach_) - column,
                 complete_end(added.row + added.height, windows_.grid_rows, reach_) - row};
  }
  step();
  return filled && complete_.width > 0 && complete_.height > 0;
}

void RollingBlocks::assemble(const Window& added) {
  const Index column = std::max<Index>(0, added.column - 2 * reach_);
  const Index row = std::max(windows_.grid_rows.first, added.row - 2 * reach_);
  const Window window{column, row, added.column + added.width - column, added.row + added.height - row};
  const Index channels = block_.channels();
  // The kept columns still lie in the block of the step before, where the new block will overwrite them.
  Spectra left(window.height, (added.column - column) * channels);
  for (Index i = 0; left_filled_ && i < window.height; ++i) {
    std::copy_n(block_.pixel(column, row + i), left.cols(), left.row(i).data());
  }
  block_.reset(window);
  for (Index i = 0; left_filled_ && i < window.height; ++i) {
    std::copy_n(left.row(i).data(), left.cols(), block_.pixel(column, row + i));
  }
  // The kept rows above the new window; those above the kept columns came with the columns.
  for (Index i = 0; above_filled_[static_cast<std::size_t>(column_of_windows_)] && row + i < added.row; ++i) {
    std::copy_n(&above_(i, added.column * channels), added.width * channels, block_.pixel(added.column, row + i));
  }
}

void RollingBlocks::keep(const Window& added) {
  const Window& window = block_.window();
  const Index right = added.column + added.width;
  const Index bottom = added.row + added.height;
  const Index column = std::max<Index>(0, right - 2 * reach_);
  const Index row = std::max(windows_.grid_rows.first, bottom - 2 * reach_);
  // The last columns stay where they are, and only whether they hold anything is noted.
  left_filled_ = any_value(block_, {column, window.row, right - column, window.height});
  // The last rows are copied: the row of windows above is still needed until this one is done.
  if (any_value(block_, {added.column, row, added.width, bottom - row})) {
    next_above_filled_[static_cast<std::size_t>(column_of_windows_)] = true;
    for (Index i = 0; row + i < bottom; ++i) {
      std::copy_n(block_.pixel(added.column, row + i), added.width * block_.channels(),
                  &next_above_(i, added.column * block_.channels()));
    }
  }
}

void RollingBlocks::step() {
  ++column_of_windows_;
  if (column_of_windows_ == windows_.columns()) {
    column_of_windows_ = 0;
    ++row_of_windows_;
    left_filled_ = false;
    above_.swap(next_above_);
    above_filled_.swap(next_above_filled_);
  }
}

}  // namespace parsimap
