// Regions as users write them.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>

#include "parsimap/gdal/raster/scene.hpp"

namespace parsimap::test {

// XMIN,YMIN,XMAX,YMAX of a window of the raster at `path`.
inline std::string box_of_window(const std::string& path, const Window& window) {
  const RasterGrid grid = open_scene(path).source->grid();
  const auto corner = [&](Index column, Index row) {
    return map_point(grid, static_cast<double>(column), static_cast<double>(row));
  };
  const auto [x0, y0] = corner(window.column, window.row);
  const auto [x1, y1] = corner(window.column + window.width, window.row + window.height);
  std::ostringstream box;
  box.precision(12);
  box << std::min(x0, x1) << "," << std::min(y0, y1) << "," << std::max(x0, x1) << "," << std::max(y0, y1);
  return box.str();
}

}  // namespace parsimap::test
