// Regions of interest of ENVI: as XML, which ENVI 5 writes, and as the text that ENVI exports ("; ENVI Output of
// ROIs"). The binary files of ENVI Classic (.roi) are not read.
#pragma once

#include <optional>
#include <string>

#include "parsimap/scene/raster.hpp"

#include "label_claims.hpp"

namespace parsimap {

// True for a file that begins like one of both.
bool is_envi_roi(const std::string& path);

// True for regions of interest whose coordinates are columns and rows of an image, which has the size of `grid` where
// the file says its size.
bool envi_roi_names_pixels(const std::string& path, const RasterGrid& grid);

// What the regions of interest claim: each is a class with its name and colour. Of XML, every polygon, line and point
// is a region; of text, which lists pixels, every connected area (4 neighbours) of the pixels of a region of interest.
// DataError: damaged (file and line or region are named), no place on the grid. ConfigError: `epsg` contradicts the
// file.
VectorClaims read_envi_roi(const std::string& path, std::optional<int> epsg, const RasterGrid& grid,
                           const std::string& grid_name);

// Regions of interest of ENVI 5: a document <RegionsOfInterest> of <Region name= color=>, each with a <GeometryDef> or
// several: <CoordSysStr>, which is WKT or "none", and polygons, lines and points with their <Coordinates> x y x y ...
// Without a reference system coordinates are columns and rows of the image, 0 at its upper left corner.
//
// `text` is what the file at `path` holds. Errors as read_envi_roi().
VectorClaims read_roi_xml(const std::string& path, const std::string& text, std::optional<int> epsg,
                          const RasterGrid& grid, const std::string& grid_name);

}  // namespace parsimap
