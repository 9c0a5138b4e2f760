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
//
// The code 0 is a class where the raster says so: by a name that does not mean unlabelled, or, where it has no name, by
// another nodata value; and with `zero_class`. Since 0 stands for no class in every map, it gets the code after the
// largest. Elsewhere pixels of the code 0 are unlabelled.
std::unique_ptr<ClassMapSource> open_class_map(const std::string& path, bool zero_class = false);

}  // namespace parsimap
