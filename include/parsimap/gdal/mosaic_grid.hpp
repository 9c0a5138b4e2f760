// Rasters of different grids and coordinate systems, brought to one grid.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/scene/raster_grid.hpp"
#include "parsimap/scene/scene_source.hpp"

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

}  // namespace parsimap
