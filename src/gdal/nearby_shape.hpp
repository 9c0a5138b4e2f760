// Shapes that reach far beyond a scene. GDAL walks along a line pixel by pixel and counts columns in 32 bits: it takes
// minutes for a line whose end is a mistake, and fills a polygon wrongly that reaches beyond the columns it can count.
#pragma once

#include <ogr_geometry.h>

#include <memory>

namespace parsimap {

// Whether every coordinate is a number that can be computed with.
bool has_usable_coordinates(const OGRGeometry& geometry);

// The part of a line or polygon in the box, or near its edge where a polygon goes round it: drawn inside of the box
// they are the same. Null for a shape that needs no cutting, because it lies in the box or is of another kind.
std::unique_ptr<OGRGeometry> part_in_box(const OGRGeometry& shape, const OGREnvelope& box);

}  // namespace parsimap
