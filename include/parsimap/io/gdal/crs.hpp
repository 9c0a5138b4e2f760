// Coordinate reference systems by their code.
#pragma once

#include <string>

namespace parsimap {

// WKT of the reference system with this EPSG code, as RasterGrid::crs holds it. ConfigError for an unknown code.
std::string crs_from_epsg(int code);

}  // namespace parsimap
