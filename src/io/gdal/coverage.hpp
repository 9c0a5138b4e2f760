// Where a sparse raster has no data, known from its layout without reading any of it.
#pragma once

#include <gdal_priv.h>

#include <optional>
#include <vector>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap::gdal {

class Coverage {
 public:
  // Of `bands` (GDAL's numbers from 1) of a dataset that outlives this.
  Coverage(GDALDataset& dataset, std::vector<int> bands);

  // True when the layout says that no band has data anywhere in the window.
  [[nodiscard]] bool empty(const Window& window) const;
  // True when the layout says that the first band lacks data somewhere in the window.
  [[nodiscard]] bool has_holes(const Window& window) const;

 private:
  [[nodiscard]] int status(int band, const Window& window) const;
  [[nodiscard]] bool same_layout() const;

  GDALDataset& dataset_;
  std::vector<int> bands_;
  mutable std::optional<bool> same_layout_;  // found when first needed
};

}  // namespace parsimap::gdal
