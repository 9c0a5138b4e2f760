// Labels in MATLAB files, as they are published beside the scenes (PaviaU_gt.mat and others).
#pragma once

#include <optional>
#include <string>

#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// The only two-dimensional array of the file (versions 5 to 7.3) that has the size of `grid`, rows x columns, and the
// name `variable` where that is given: class codes 0 .. 65535, where 0 and NaN mean unlabelled. Classes are named by
// their codes. `grid_name` names the scene in messages.
// DataError: as open_matlab_scene(), and values that are not such codes (the first one is named).
LabelledPixels read_matlab_labels(const std::string& path, const std::optional<std::string>& variable,
                                  const RasterGrid& grid, const std::string& grid_name);

}  // namespace parsimap
