// Whether two rasters lie on each other.
#pragma once

#include <string>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// DataError "<name>: is ..., but <other_name> is ...; <rule>." unless both grids have the same size, the same CRS and
// corners within 1e-3 pixel of each other. Georeferencing and CRS count where both have them.
void check_same_grid(const RasterGrid& grid, const std::string& name, const RasterGrid& other,
                     const std::string& other_name, const std::string& rule);

}  // namespace parsimap
