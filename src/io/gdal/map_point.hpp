// From pixels to map coordinates.
#pragma once

#include <array>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap::gdal {

// The map coordinates x, y of a place in the grid, which counts columns and rows from its upper left corner; a grid
// without geotransform has x = column and y = row.
inline std::array<double, 2> map_point(const RasterGrid& grid, double column, double row) {
  const std::array<double, 6> g = grid.geotransform.value_or(std::array<double, 6>{0, 1, 0, 0, 0, 1});
  return {g[0] + column * g[1] + row * g[2], g[3] + column * g[4] + row * g[5]};
}

}  // namespace parsimap::gdal
