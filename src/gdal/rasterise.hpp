// From a geometry to the pixels it owns.
#pragma once

#include <ogr_geometry.h>

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// The members of a collection, however nested; a geometry that is no collection is its only part.
std::vector<const OGRGeometry*> parts_of(const OGRGeometry& geometry);

// "x 0 to 10, y 0 to 20"
std::string extent_text(const OGREnvelope& extent);

class Rasteriser {
 public:
  // A grid without geotransform has x = column and y = row.
  explicit Rasteriser(const RasterGrid& grid);

  // row * width + column of the pixels of a geometry in the grid's CRS; a pixel may come twice when parts overlap.
  // Memory is bounded by that of a fixed number of pixels and of those found.
  [[nodiscard]] std::vector<std::int64_t> pixels_of(const OGRGeometry& geometry) const;

  // True when the geometry's envelope meets the grid.
  [[nodiscard]] bool touches(const OGRGeometry& geometry) const;

  // x from, y from, x to, y to of the grid.
  [[nodiscard]] OGREnvelope extent() const;

  // Columns and rows of an envelope in the grid's CRS, clipped to the grid; empty when outside.
  [[nodiscard]] Window window_of(const OGREnvelope& envelope) const;

 private:
  [[nodiscard]] Window window_of(const OGRGeometry& geometry) const;
  [[nodiscard]] OGREnvelope surroundings() const;
  // Appends those of a line or polygon, which lie in `window`.
  void add_shape(const OGRGeometry& shape, const Window& window, std::vector<std::int64_t>& pixels) const;

  RasterGrid grid_;
  double inverse_[6];
};

}  // namespace parsimap
