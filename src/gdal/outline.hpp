// What vector layers are made of: outlines of sets of pixels, and types of fields.
#pragma once

#include <ogr_geometry.h>

#include <cstdint>
#include <vector>

#include "parsimap/gdal/vector_output.hpp"
#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// The polygons around the pixels of a window whose mask (row-major) is not 0, along their edges and in map coordinates,
// one for each area that hangs together over edges. IoError when GDAL fails.
OGRMultiPolygon outline_of(std::vector<std::uint8_t> mask, const Window& window, const RasterGrid& grid);

OGRFieldType field_type(FieldKind kind);

}  // namespace parsimap
