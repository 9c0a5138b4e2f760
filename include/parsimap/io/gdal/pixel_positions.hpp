// Where pixels lie on the ground.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

struct PixelPositions {
  Matrix points;        // n x 2, of pixel centres
  bool metres = false;  // otherwise pixels: columns and rows
};

// In metres where the grid has a CRS: map coordinates times their unit, and for degrees an azimuthal equidistant
// projection about the middle of the grid. A grid without CRS gives columns and rows. `pixels` are row * width +
// column. DataError when the CRS is neither or its coordinates cannot be transformed.
PixelPositions pixel_positions(const RasterGrid& grid, const std::vector<std::int64_t>& pixels);

}  // namespace parsimap
