// The regions of a label raster: what its polygons would be.
#pragma once

#include "parsimap/core/types.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

namespace parsimap {

// Gives every pixel the number, from 1, of the connected area of its class that it lies in, over edges and not
// over corners (4 neighbours, as gdal_polygonize does). Numbers follow the first pixel of each area. `width` is that of
// the scene. Time and memory go with the labelled pixels.
void find_regions(LabelledPixels& labels, Index width);

}  // namespace parsimap
