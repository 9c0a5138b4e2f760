// Where the pixels of a raster lie.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Size in pixels and, where known, georeferencing in GDAL's terms.
struct RasterGrid {
  Index width = 0;
  Index height = 0;
  // x = g0 + column * g1 + row * g2, y = g3 + column * g4 + row * g5, of a pixel's upper left corner.
  std::optional<std::array<double, 6>> geotransform;
  std::string crs;  // WKT, empty where unknown

  [[nodiscard]] std::int64_t pixels() const { return std::int64_t{width} * height; }
};

// A rectangle of pixels.
struct Window {
  Index column = 0;
  Index row = 0;
  Index width = 0;
  Index height = 0;

  [[nodiscard]] Index pixels() const { return width * height; }
  bool operator==(const Window&) const = default;
};

}  // namespace parsimap
