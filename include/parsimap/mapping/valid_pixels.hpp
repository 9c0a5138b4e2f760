// Which pixels of a window hold something.
#pragma once

#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

struct ValidPixels {
  Window box;         // its other pixels hold nothing
  Indices positions;  // row-major positions in the box, ascending; empty when all pixels of the box are valid

  [[nodiscard]] Index position(Index i) const { return positions.empty() ? i : positions[static_cast<std::size_t>(i)]; }
};

}  // namespace parsimap
