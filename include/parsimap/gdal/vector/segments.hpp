// Parts of a scene: its segments, pixels that anything labels, and regions.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Segments from a raster of their numbers or from the polygons of a vector file.
//
// A raster of one band on the grid: whole numbers from 1, which are those of the segments; 0, nodata and NaN are
// outside. Or a vector file, whose features in its only layer are segments, numbered from 1 in their order: a polygon
// owns the pixels whose centre lies in it, and of several polygons that own a pixel the first one has it. Features are
// brought to the CRS of the grid. Memory of a vector goes with the length of the outlines in pixels. DataError: neither
// of both, another grid, several bands, features that are no polygons, none that owns a pixel.
std::unique_ptr<SegmentSource> open_segments(const std::string& path, const RasterGrid& grid,
                                             const std::string& grid_name);

// The same of anything that labels pixels, whatever its classes are: a label raster, or the features of all layers, of
// any geometry, of which a point owns the pixel that contains it, and a line the pixels that GDAL's line rasterisation
// gives. Tables without geometries have points in columns with usual names. `where` is an SQL condition that selects
// features; ConfigError where it goes with no layer of the file or selects none, or the file is a raster.
std::unique_ptr<SegmentSource> open_labelled_pixels(const std::string& path, const RasterGrid& grid,
                                                    const std::string& grid_name,
                                                    const std::optional<std::string>& where = {});

// Whether `text` is a list of numbers, and so a box rather than the name of a file.
bool is_box(const std::string& text);

// The region that `text` describes: the polygons of all layers of a vector file, as those of segments, or a box
// XMIN,YMIN,XMAX,YMAX in the CRS of the grid (columns and rows where it has no geotransform), which owns the pixels
// whose centre lies in it. ConfigError: a box that is none, a raster. DataError as open_segments(), and for polygons
// that cross themselves, where GDAL has GEOS to tell.
Region open_region(const std::string& text, const RasterGrid& grid, const std::string& grid_name);

}  // namespace parsimap
