// Labels from class rasters.
#pragma once

#include <string>

#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Labels from a class raster, on the grid of a scene or on another. A raster on another grid gives each pixel of `grid`
// the class of its pixel under the centre (nearest neighbour), and a message says so; classes that get no pixel are
// left out. Of the options, `epsg` and `zero_class` count. Errors as read_labels().
LabelledPixels read_raster_labels(const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                                  const std::string& grid_name);

}  // namespace parsimap
