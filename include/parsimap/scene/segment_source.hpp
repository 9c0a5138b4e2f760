// The contract of segments: a division of a scene's grid, or of parts of it, into numbered sets of pixels, such as the
// objects of an image segmentation or the parcels of a register.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

class SegmentSource {
 public:
  virtual ~SegmentSource() = default;

  // A name for messages, usually the path.
  [[nodiscard]] virtual const std::string& name() const = 0;
  // The number of the segment that each pixel of `window` lies in, in row-major order; 0 outside of all segments. A
  // pixel's number does not depend on the window. Not to be called from two threads at once. Throws IoError, and
  // DataError for a value that is no number of a segment.
  virtual void read(const Window& window, std::vector<std::int64_t>& numbers) = 0;
  // To be called after the last read. IoError when a file behind the segments changed while it was read.
  virtual void check_unchanged() const {}
};

}  // namespace parsimap
