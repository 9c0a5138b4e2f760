// Regions of interest of ENVI 5: a document <RegionsOfInterest> of <Region name= color=>, each with a <GeometryDef> or
// several: <CoordSysStr>, which is WKT or "none", and polygons, lines and points with their <Coordinates> x y x y ...
// Without a reference system coordinates are columns and rows of the image, 0 at its upper left corner.
#pragma once

#include <optional>
#include <string>

#include "parsimap/scene/raster_grid.hpp"

#include "vector_labels.hpp"

namespace parsimap {

// `text` is what the file at `path` holds. Errors as read_envi_roi().
VectorClaims read_roi_xml(const std::string& path, const std::string& text, std::optional<int> epsg,
                          const RasterGrid& grid, const std::string& grid_name);

}  // namespace parsimap
