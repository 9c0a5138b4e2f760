// The contract of anything that can be classified: a grid of pixels, bands, and spectra that are read window by window.
// A raster is stored in storage blocks (lines or tiles), which are decoded as a whole.
#pragma once

#include <limits>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/scene/geometry_lookup.hpp"
#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// The value of a spectrum where a scene has no data.
constexpr float kMissingValue = std::numeric_limits<float>::quiet_NaN();

class SceneSource {
 public:
  virtual ~SceneSource() = default;

  // A name for messages, usually the path.
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const RasterGrid& grid() const = 0;
  [[nodiscard]] virtual const BandTable& bands() const = 0;
  // Width and height of the storage blocks: windows made of whole blocks read fastest.
  [[nodiscard]] virtual Index block_width() const = 0;
  [[nodiscard]] virtual Index block_height() const = 0;
  // True where the storage knows that the window holds no data at all (a hole of a sparse mosaic); may be false for
  // an empty window.
  [[nodiscard]] virtual bool known_empty(const Window& window) const = 0;
  // The values of `bands` (indices from 0) in `window`, pixels x bands, pixels in row-major order. A value that is
  // nodata, masked or infinite is NaN. Not to be called from two threads at once. Throws IoError.
  virtual void read(const Window& window, const Indices& bands, Spectra& values) = 0;
  // The table that says where the pixels lie on the map, of a scene in the sensor's own geometry that comes with one;
  // else null.
  [[nodiscard]] virtual GeometryLookup* lookup() { return nullptr; }
  // To be called after the last read. IoError when a file behind the scene changed while it was read.
  virtual void check_unchanged() const {}
};

}  // namespace parsimap
