// Rasters of different grids and coordinate systems brought to one grid, and mosaics (VRT) that name the rasters they
// are made of in place of a copy.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

struct MosaicGrid {
  RasterGrid grid;              // with a geotransform without rotation
  std::vector<Window> windows;  // for each raster, the smallest window around it; of width 0 where it lies outside
};

// A grid for all of `rasters`: that of the raster `like`, or else the smallest one around them in the coordinate system
// and with the pixels of the first, whose lines it continues. Where the first raster is rotated or has control points
// alone, its pixels are those that GDAL suggests for it. DataError: a raster cannot be read or has no place on the map,
// or its coordinates cannot be transformed; one has a coordinate system and the first none, or the other way round; the
// grid would have more lines than a raster can have. ConfigError: `like` is rotated or has no geotransform.
MosaicGrid mosaic_grid(const std::vector<std::string>& rasters, const std::optional<std::string>& like);

// The raster as it is seen on another grid, by the nearest pixel; NaN where it has none. `grid` is one of
// mosaic_grid(). DataError as there.
std::unique_ptr<SceneSource> open_on_grid(const std::string& path, const RasterGrid& grid);

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
