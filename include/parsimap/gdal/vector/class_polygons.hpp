// The areas of the classes of a map as polygons.
#pragma once

#include <string>

#include "parsimap/core/types.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// Writes the only layer `classes` of a GeoPackage that stage_pixel_layers() announced: one polygon, along the edges of
// its pixels, for each area of a class in the complete class map in the file `map` that hangs together over edges, with
// the fields `class`, `code` and `pixels`, and the style in which QGIS shows the classes in their colours. Areas of
// fewer than `least_pixels` pixels become part of the largest area beside them (GDALSieveFilter); those beside
// unclassified pixels only stay as they are. Memory goes with the pixels of the map (4 bytes, where areas are joined)
// and with the number of polygons. IoError.
void write_class_polygons(const StagedOutput& output, const std::string& map, const ClassTable& classes,
                          Index least_pixels);

}  // namespace parsimap
