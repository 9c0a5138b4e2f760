#include "windows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <future>
#include <utility>

#include "parsimap/core/system.hpp"

namespace parsimap {

// A window of whole storage blocks of at most `max_pixels`, or of one storage block that is larger than that. Blocks
// are taken side by side and above each other: a window about as high as it is wide has the shortest border, and so the
// fewest pixels whose neighbours lie in other windows.
static Window whole_blocks(const RasterGrid& grid, Index block_width, Index block_height, Index max_pixels) {
  const Window block{0, 0, std::clamp<Index>(block_width, 1, grid.width),
                     std::clamp<Index>(block_height, 1, grid.height)};
  const Index most_blocks = std::max<Index>(1, max_pixels / block.pixels());
  // As many blocks side by side as fit into the side of a square of `max_pixels`, and as many rows of blocks as then
  // fit.
  const auto side = static_cast<Index>(std::sqrt(static_cast<double>(max_pixels)));
  const Index width = std::min(grid.width, std::clamp<Index>(side / block.width, 1, most_blocks) * block.width);
  return {0, 0, width, std::max<Index>(1, max_pixels / (width * block.height)) * block.height};
}

// The largest piece of `whole` of at most `max_pixels`: as many whole rows as fit, or as much of one row as fits.
static Window piece_of(const Window& whole, Index max_pixels) {
  const Index width = std::min(whole.width, max_pixels);
  return {0, 0, width, std::clamp<Index>(max_pixels / width, 1, whole.height)};
}

std::vector<Window> plan_windows(const RasterGrid& grid, const ItemRange& rows, Index block_width, Index block_height,
                                 Index max_pixels) {
  const Window whole = whole_blocks(grid, block_width, block_height, max_pixels);
  // A storage block that is too large is cut into pieces, and all of them are done before the next block is touched.
  const Window piece = piece_of(whole, max_pixels);
  const Window wanted{0, rows.first, grid.width, rows.size()};
  std::vector<Window> windows;
  for (Index row = rows.first / whole.height * whole.height; row < rows.last; row += whole.height) {
    for (const Window& block :
         tiles_of(overlap({0, row, grid.width, whole.height}, wanted), whole.width, whole.height)) {
      add_all(windows, tiles_of(block, piece.width, piece.height));
    }
  }
  return windows;
}

Window WindowGrid::window(Index window_column, Index window_row) const {
  const Index row = (grid_rows.first / height + window_row) * height;
  return overlap({window_column * width, row, width, height}, {0, grid_rows.first, grid_width, grid_rows.size()});
}

WindowGrid window_grid(const RasterGrid& grid, const ItemRange& rows, Index block_width, Index block_height,
                       Index max_pixels) {
  const Window piece = piece_of(whole_blocks(grid, block_width, block_height, max_pixels), max_pixels);
  return {grid.width, rows, piece.width, piece.height};
}

double for_each_window(SceneSource& scene, const Indices& bands, const std::vector<Window>& windows,
                       const std::function<void(const ValidSpectra&)>& use, const Progress& progress) {
  WindowReader reader(scene, bands);
  const auto read = [&](std::size_t i) {
    const Stopwatch reading;
    ValidSpectra input = reader.read(windows[i]);
    return std::pair(std::move(input), reading.seconds());
  };
  // One thread reads ahead while this one computes; the time of reading is measured in that thread, and is the cost of
  // reading alone.
  double read_seconds = 0;
  if (windows.empty()) {
    return read_seconds;
  }
  const std::int64_t pixels = total(windows, &Window::pixels);
  // There is one reader at a time, for sources need not be safe for several: a window is asked for only when the one
  // before has been received.
  std::future<std::pair<ValidSpectra, double>> next = std::async(std::launch::async, read, std::size_t{0});
  std::int64_t done = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto [input, seconds] = next.get();
    read_seconds += seconds;
    if (i + 1 < windows.size()) {
      next = std::async(std::launch::async, read, i + 1);
    }
    use(input);
    done += windows[i].pixels();
    report_done(progress, done, pixels);
  }
  return read_seconds;
}

// Along one side of the columns or rows `all`, of which those before `end` are there: where the complete pixels end.
// The last `reach` of those that are there still lack neighbours, unless nothing comes after them.
static Index complete_end(Index end, const ItemRange& all, Index reach) {
  return end == all.last ? all.last : std::max(all.first, end - reach);
}

static bool any_value(const PixelBlock& block, const Window& window) {
  return block.valid_pixels(window).window.pixels() > 0;
}

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
