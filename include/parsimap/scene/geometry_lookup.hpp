// Where the pixels of a scene in the sensor's own geometry lie on the map: a geometry lookup table (GLT), as products
// of imaging spectrometers have one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

class GeometryLookup {
 public:
  virtual ~GeometryLookup() = default;

  // A name for messages, usually the path.
  [[nodiscard]] virtual const std::string& name() const = 0;
  // The map grid, which has a geotransform.
  [[nodiscard]] virtual const RasterGrid& grid() const = 0;
  // The pixel of the scene (row * width of the scene + column) that each pixel of `window`, a window of the map grid,
  // shows; -1 where it shows none. Row-major. Not to be called from two threads at once. Throws IoError, and DataError
  // where the table points outside the scene.
  virtual void read(const Window& window, std::vector<std::int64_t>& pixels) = 0;
  // IoError when a file behind the table changed while it was read.
  virtual void check_unchanged() const {}
};

}  // namespace parsimap
