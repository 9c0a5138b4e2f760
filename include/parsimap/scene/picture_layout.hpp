// Which part of a raster a small picture shows: the rectangle that holds data, reduced where it is large; or, where
// data lie in few and far places as in a mosaic of plots, a sheet of tiles with these places one beside the other.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// A rectangle of a picture that shows a window of the raster, reduced or as it is.
struct PictureTile {
  Window source;
  Index left = 0;  // in the picture
  Index top = 0;
  Index width = 0;
  Index height = 0;

  // The column and row of the raster in the middle of a pixel of the tile, counted from the tile's corner.
  [[nodiscard]] Index source_column(Index x) const { return source.column + (2 * x + 1) * source.width / (2 * width); }
  [[nodiscard]] Index source_row(Index y) const { return source.row + (2 * y + 1) * source.height / (2 * height); }
  bool operator==(const PictureTile&) const = default;
};

struct PictureLayout {
  Index width = 0;
  Index height = 0;
  std::vector<PictureTile> tiles;  // they do not overlap in the picture
  Index places = 1;                // with data: more than tiles where only some are shown

  // The pixels of the picture, row-major, that show a pixel of the raster (row * width + column there).
  [[nodiscard]] std::vector<Index> positions_of(std::int64_t pixel, Index raster_width) const;
  [[nodiscard]] Index pixels() const { return width * height; }
  bool operator==(const PictureLayout&) const = default;
};

inline constexpr Index kLongestPictureSide = 640;
inline constexpr std::size_t kMostPictureTiles = 30;

// The window as one tile, reduced to kLongestPictureSide pixels along its longer side at most.
PictureLayout picture_of(const Window& window);

// For every pixel of a window of the raster, row-major, whether it has data.
using DataTest = std::function<std::vector<bool>(const Window&)>;

// What to show of a raster. `coarse` is the picture of all of it, and `has_data` says which of its pixels have any.
// Where a twentieth of the rectangle around the data has data, the rectangle is shown; otherwise tiles of equal size
// around the places with data, those first that hold most of the `preferred` pixels of the raster (row * width +
// column), then those with the most data, and in the picture in the order of their rows. `test` is asked about small
// windows, so that the tiles fit their places closely. Where nothing has data, everything is shown.
PictureLayout choose_layout(const RasterGrid& grid, const PictureLayout& coarse, const std::vector<bool>& has_data,
                            const DataTest& test, const std::vector<std::int64_t>& preferred = {});

}  // namespace parsimap
