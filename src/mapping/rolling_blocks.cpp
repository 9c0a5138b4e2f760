#include "rolling_blocks.hpp"

#include <algorithm>

namespace parsimap {
namespace {

// Where the pixels that are complete end when those before `end` are there, of `size` columns or rows.
Index complete_end(Index end, Index size, Index reach) { return end == size ? size : std::max<Index>(0, end - reach); }

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

RollingBlocks::RollingBlocks(const CellGrid& cells, Index values, Index reach)
    : cells_(cells),
      reach_(reach),
      block_(cells.width + 2 * reach, cells.height + 2 * reach, values, reach),
      above_(2 * reach, cells.grid_width * (values + 1)),
      next_above_(above_.rows(), above_.cols()),
      above_filled_(static_cast<std::size_t>(cells.columns()), false),
      next_above_filled_(above_filled_) {}

std::int64_t RollingBlocks::bytes(const CellGrid& cells, Index values, Index reach) {
  return PixelBlock::bytes(cells.width + 2 * reach, cells.height + 2 * reach, values, reach) +
         4 * reach * cells.grid_width * (values + 1) * static_cast<Index>(sizeof(float));
}

bool RollingBlocks::add(const ValidPixels& pixels, const Spectra& values) {
  const Window cell = cells_.cell(cell_column_, cell_row_);
  const bool filled = left_filled_ || above_filled_[static_cast<std::size_t>(cell_column_)] || values.rows() > 0;
  next_above_filled_[static_cast<std::size_t>(cell_column_)] = false;
  if (filled) {
    assemble(cell);
    block_.fill(pixels, values);
    keep(cell);
    const Index column = std::max<Index>(0, cell.column - reach_);
    const Index row = std::max<Index>(0, cell.row - reach_);
    complete_ = {column, row, complete_end(cell.column + cell.width, cells_.grid_width, reach_) - column,
                 complete_end(cell.row + cell.height, cells_.grid_height, reach_) - row};
  }
  step();
  return filled && complete_.width > 0 && complete_.height > 0;
}

void RollingBlocks::assemble(const Window& cell) {
  const Index column = std::max<Index>(0, cell.column - 2 * reach_);
  const Index row = std::max<Index>(0, cell.row - 2 * reach_);
  const Window window{column, row, cell.column + cell.width - column, cell.row + cell.height - row};
  const Index channels = block_.channels();
  Spectra left(window.height, (cell.column - column) * channels);
  for (Index i = 0; left_filled_ && i < window.height; ++i) {
    std::copy_n(block_.pixel(column, row + i), left.cols(), left.row(i).data());
  }
  block_.reset(window);
  for (Index i = 0; left_filled_ && i < window.height; ++i) {
    std::copy_n(left.row(i).data(), left.cols(), block_.pixel(column, row + i));
  }
  for (Index i = 0; above_filled_[static_cast<std::size_t>(cell_column_)] && row + i < cell.row; ++i) {
    std::copy_n(&above_(i, cell.column * channels), cell.width * channels, block_.pixel(cell.column, row + i));
  }
}

void RollingBlocks::keep(const Window& cell) {
  const Window& window = block_.window();
  const Index right = cell.column + cell.width;
  const Index bottom = cell.row + cell.height;
  const Index column = std::max<Index>(0, right - 2 * reach_);
  const Index row = std::max<Index>(0, bottom - 2 * reach_);
  left_filled_ = any_value(block_, {column, window.row, right - column, window.height});
  if (any_value(block_, {cell.column, row, cell.width, bottom - row})) {
    next_above_filled_[static_cast<std::size_t>(cell_column_)] = true;
    for (Index i = 0; row + i < bottom; ++i) {
      std::copy_n(block_.pixel(cell.column, row + i), cell.width * block_.channels(),
                  &next_above_(i, cell.column * block_.channels()));
    }
  }
}

void RollingBlocks::step() {
  ++cell_column_;
  if (cell_column_ == cells_.columns()) {
    cell_column_ = 0;
    ++cell_row_;
    left_filled_ = false;
    above_.swap(next_above_);
    above_filled_.swap(next_above_filled_);
  }
}

}  // namespace parsimap
