// The windows in which a grid is read and written: few, large, and made of whole storage blocks, because GDAL decodes a
// storage block as a whole whenever one of its pixels is asked for.
#pragma once

#include <functional>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/shard.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/scene/window_reader.hpp"

namespace parsimap {

// Windows that cover `grid` exactly, none larger than `max_pixels` (>= 1). Storage blocks as wide as the grid are
// joined to windows as wide as the grid, smaller ones to windows that are about square. A storage block larger than
// `max_pixels` is cut into windows of whole rows, and a row that is larger still into pieces. The windows of one
// storage block follow each other, so that a cache of one storage block is enough. Of `rows` alone they are the windows
// of the whole grid, without what lies above and below; the work goes with the number of these.
std::vector<Window> plan_windows(const RasterGrid& grid, const ItemRange& rows, Index block_width, Index block_height,
                                 Index max_pixels);

// A grid of windows of `width` x `height` pixels over some rows of a raster, which are taken row by row. Windows begin
// at multiples of their size and are smaller where the raster or the rows begin or end.
struct WindowGrid {
  Index grid_width = 0;
  ItemRange grid_rows;
  Index width = 0;
  Index height = 0;

  [[nodiscard]] Index columns() const { return (grid_width + width - 1) / width; }
  [[nodiscard]] Index rows() const { return (grid_rows.last + height - 1) / height - grid_rows.first / height; }
  // The window in this column and row of windows.
  [[nodiscard]] Window window(Index window_column, Index window_row) const;
};

// Windows of the size that plan_windows() takes, as a grid: in the order of the picture and not of the storage blocks,
// which is the order that neighbourhoods need.
WindowGrid window_grid(const RasterGrid& grid, const ItemRange& rows, Index block_width, Index block_height,
                       Index max_pixels);

// Going through a scene window by window: the next window is read while one is worked on.

// Calls use() with the valid pixels of every window, in their order. Progress is the share of the pixels of the
// windows. Returns the seconds that reading took. Errors as those of the source and of use().
double for_each_window(SceneSource& scene, const Indices& bands, const std::vector<Window>& windows,
                       const std::function<void(const ValidSpectra&)>& use, const Progress& progress);

}  // namespace parsimap
