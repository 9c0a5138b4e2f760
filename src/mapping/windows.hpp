// The windows in which a grid is read and written, how a scene is gone through by them, and the overlapping blocks that
// are made of them where pixels need their neighbours. Windows are few, large, and made of whole storage blocks,
// because GDAL decodes a storage block as a whole whenever one of its pixels is asked for.
#pragma once

#include <functional>
#include <vector>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/scene/window_reader.hpp"
#include "parsimap/spatial/regularisation.hpp"

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

// Goes through a scene window by window; the next window is read while one is worked on. Calls use() with the valid
// pixels of every window, in their order. Progress is the share of the pixels of the windows. Returns the seconds that
// reading took. Errors as those of the source and of use().
double for_each_window(SceneSource& scene, const Indices& bands, const std::vector<Window>& windows,
                       const std::function<void(const ValidSpectra&)>& use, const Progress& progress);

// Overlapping blocks out of windows that do not overlap. The probabilities of a window's last columns and rows are
// needed once more for the neighbourhoods of the next windows; they are kept, so that every pixel is evaluated once.
//
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
