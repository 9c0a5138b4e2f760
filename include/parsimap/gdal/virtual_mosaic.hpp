// A mosaic that is no copy: a VRT that names the rasters it is made of.
#pragma once

#include <string>
#include <vector>

#include "parsimap/core/shard.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// True where the name ends in .vrt.
bool is_virtual_mosaic(const std::string& path);

// Announces the VRT and the style beside it. ConfigError as OutputSet::stage().
const StagedOutput& stage_virtual_mosaic(OutputSet& outputs, const std::string& role, const std::string& path);

// Writes the VRT over maps that exist already, with names and colours of the classes, and a .qml of the same base name.
// Maps in the folder of the VRT or below it are named relative to it, so that they can be moved together. ConfigError:
// a map in another coordinate system than the grid. IoError.
void write_virtual_mosaic(const StagedOutput& output, const std::vector<std::string>& maps, const RasterGrid& grid,
                          const ClassTable& classes);

// A GeoTIFF with tiles of 256 x 256 pixels that is some rows of a larger raster.
struct RowsOfRaster {
  std::string path;
  ItemRange rows;
};

// Writes a VRT over such rasters, which are not opened: a class map with a .qml, as above, or real values with a band
// for each name. The grid need not be on a map. IoError.
void write_stacked_map(const StagedOutput& output, const std::vector<RowsOfRaster>& rasters, const RasterGrid& grid,
                       const ClassTable& classes);
void write_stacked_field(const StagedOutput& output, const std::vector<RowsOfRaster>& rasters, const RasterGrid& grid,
                         const std::vector<std::string>& bands);

}  // namespace parsimap
