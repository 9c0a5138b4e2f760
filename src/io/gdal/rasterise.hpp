// From a geometry to the pixels it owns.
#pragma once

#include <ogr_geometry.h>

#include <cstdint>
#include <vector>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap::gdal {

// What a geometry is a collection of, however nested; itself where it is none.
std::vector<const OGRGeometry*> parts_of(const OGRGeometry& geometry);

class Rasteriser {
 public:
  // A grid without geotransform has x = column and y = row.
  explicit Rasteriser(const RasterGrid& grid);

  // Appends row * width + column of the pixels of a geometry in the grid's CRS; a pixel may come twice when parts
  // overlap. Memory is bounded by a fixed window and the pixels found.
  void add_pixels(const OGRGeometry& geometry, std::vector<std::int64_t>& pixels) const;

  // True when the geometry's envelope meets the grid.
  [[nodiscard]] bool touches(const OGRGeometry& geometry) const;

  // x from, y from, x to, y to of the grid.
  [[nodiscard]] OGREnvelope extent() const;

 private:
  // Columns and rows of the envelope, clipped to the grid; empty when outside.
  [[nodiscard]] Window window_of(const OGRGeometry& geometry) const;
  void add_point(const OGRPoint& point, std::vector<std::int64_t>& pixels) const;
  void add_shape(const OGRGeometry& geometry, std::vector<std::int64_t>& pixels) const;

  RasterGrid grid_;
  double forward_[6];
  double inverse_[6];
};

}  // namespace parsimap::gdal
