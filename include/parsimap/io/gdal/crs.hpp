// Coordinate reference systems.
#pragma once

#include <optional>
#include <string>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// WKT of the reference system with this EPSG code, as RasterGrid::crs holds it. ConfigError for an unknown code.
std::string crs_from_epsg(int code);

// The area of a pixel in square metres: nothing without georeferencing or a CRS, nor in degrees, where pixels differ.
std::optional<double> pixel_area(const RasterGrid& grid);

}  // namespace parsimap
