// Where the pixels of a raster lie.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// A place of a raster, counted in columns and rows from its upper left corner, and where it lies on the map.
struct ControlPoint {
  double column = 0;
  double row = 0;
  double x = 0;
  double y = 0;
  bool operator==(const ControlPoint&) const = default;
};

// Size in pixels and, where known, georeferencing in GDAL's terms.
struct RasterGrid {
  Index width = 0;
  Index height = 0;
  // x = g0 + column * g1 + row * g2, y = g3 + column * g4 + row * g5, of a pixel's upper left corner.
  std::optional<std::array<double, 6>> geotransform;
  std::string crs;  // WKT, empty where unknown
  // Where a raster has no geotransform: ground control points, in `crs`.
  std::vector<ControlPoint> control_points = {};

  [[nodiscard]] std::int64_t pixels() const { return std::int64_t{width} * height; }
};

// The map coordinates x, y of a place in the grid, counted in columns and rows from its upper left corner. A grid
// without geotransform has x = column and y = row.
inline std::array<double, 2> map_point(const RasterGrid& grid, double column, double row) {
  const std::array<double, 6> g = grid.geotransform.value_or(std::array<double, 6>{0, 1, 0, 0, 0, 1});
  return {g[0] + column * g[1] + row * g[2], g[3] + column * g[4] + row * g[5]};
}

// A window: a rectangle of pixels that is read or written at once, by its first column and row and its size.
struct Window {
  Index column = 0;
  Index row = 0;
  Index width = 0;
  Index height = 0;

  [[nodiscard]] Index pixels() const { return width * height; }
  bool operator==(const Window&) const = default;
};

}  // namespace parsimap
