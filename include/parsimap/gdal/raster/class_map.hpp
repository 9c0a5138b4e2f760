// Rasters of class codes, read through GDAL.
#pragma once

#include <memory>
#include <string>

#include "parsimap/scene/raster.hpp"

namespace parsimap {

// A raster of class codes: one band of codes 0 .. 65535; nodata counts as 0. Names come from the band's category names,
// the ENVI header or the attribute table, colours from the colour table, ENVI's `class lookup` or the attribute table,
// unless all classes have the same. The raster is scanned once, block by block, for the codes that occur. DataError:
// not readable, several bands, values that are not whole numbers in range.
std::unique_ptr<ClassMapSource> open_class_map(const std::string& path);

}  // namespace parsimap
