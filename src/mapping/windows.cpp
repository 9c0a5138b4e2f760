#include "windows.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <future>
#include <utility>

namespace parsimap {
namespace {

// Calls use(first, length) for the pieces of at most `piece` that cover [first, last).
template <typename Use>
void cut(Index first, Index last, Index piece, const Use& use) {
  for (Index start = first; start < last; start += piece) {
    use(start, std::min(piece, last - start));
  }
}

// The same for pieces that begin at multiples of `piece`, without what lies before and behind the range.
template <typename Use>
void cut_at_multiples(const ItemRange& range, Index piece, const Use& use) {
  for (Index start = range.first / piece * piece; start < range.last; start += piece) {
    const Index first = std::max(start, range.first);
    use(first, std::min(start + piece, range.last) - first);
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

// Makes a storage block of width x height into a window of several of them, side by side and above each other. A window
// about as high as it is wide has the shortest border, and so the fewest pixels whose neighbours lie in other windows.
void square_of_blocks(const RasterGrid& grid, Index most_blocks, Index& width, Index& height, Index max_pixels) {
  const auto side = static_cast<Index>(std::sqrt(static_cast<double>(max_pixels)));
  const Index block_width = width;
  const Index block_height = height;
  const Index across = std::clamp<Index>(side / block_width, 1, most_blocks);
  width = std::min(grid.width, across * block_width);
  height = std::max<Index>(1, max_pixels / (width * block_height)) * block_height;
}

// A window of whole storage blocks of at most `max_pixels`, or of one storage block that is larger than that.
Window whole_blocks(const RasterGrid& grid, Index block_width, Index block_height, Index max_pixels) {
  Window whole{0, 0, std::clamp<Index>(block_width, 1, grid.width), std::clamp<Index>(block_height, 1, grid.height)};
  if (const Index most_blocks = max_pixels / whole.pixels(); most_blocks > 1) {
    square_of_blocks(grid, most_blocks, whole.width, whole.height, max_pixels);
  }
  return whole;
}

// The largest piece of `whole` of at most `max_pixels`: as many whole rows as fit, or as much of one row as fits.
Window piece_of(const Window& whole, Index max_pixels) {
  const Index width = std::min(whole.width, max_pixels);
  return {0, 0, width, std::clamp<Index>(max_pixels / width, 1, whole.height)};
}

}  // namespace

std::vector<Window> plan_windows(const RasterGrid& grid, const ItemRange& rows, Index block_width, Index block_height,
                                 Index max_pixels) {
  const Window whole = whole_blocks(grid, block_width, block_height, max_pixels);
  // A storage block that is too large is cut into pieces, and all of them are done before the next block is touched.
  const Window piece = piece_of(whole, max_pixels);
  std::vector<Window> windows;
  cut_at_multiples(rows, whole.height, [&](Index row, Index height) {
    cut(0, grid.width, whole.width, [&](Index column, Index width) {
      add_pieces({column, row, width, height}, piece.width, piece.height, windows);
    });
  });
  return windows;
}

Window WindowGrid::window(Index window_column, Index window_row) const {
  const Index column = window_column * width;
  const Index start = (grid_rows.first / height + window_row) * height;
  const Index row = std::max(start, grid_rows.first);
  return {column, row, std::min(width, grid_width - column), std::min(start + height, grid_rows.last) - row};
}

WindowGrid window_grid(const RasterGrid& grid, const ItemRange& rows, Index block_width, Index block_height,
                       Index max_pixels) {
  const Window piece = piece_of(whole_blocks(grid, block_width, block_height, max_pixels), max_pixels);
  return {grid.width, rows, piece.width, piece.height};
}

double for_each_window(SceneSource& scene, const Indices& bands, const std::vector<Window>& windows,
                       const std::function<void(const ValidSpectra&)>& use, const Progress& progress) {
  using Clock = std::chrono::steady_clock;
  WindowReader reader(scene, bands);
  const auto read = [&](std::size_t i) {
    const Clock::time_point start = Clock::now();
    ValidSpectra input = reader.read(windows[i]);
    return std::pair(std::move(input), std::chrono::duration<double>(Clock::now() - start).count());
  };
  double read_seconds = 0;
  if (windows.empty()) {
    return read_seconds;
  }
  std::int64_t pixels = 0;
  for (const Window& window : windows) {
    pixels += window.pixels();
  }
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
    if (progress) {
      progress(static_cast<double>(done) / static_cast<double>(pixels));
    }
  }
  return read_seconds;
}

}  // namespace parsimap
