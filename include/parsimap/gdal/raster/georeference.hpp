// Coordinate reference systems, and where the pixels of a raster lie on the ground.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// WKT of the reference system with this EPSG code, as RasterGrid::crs holds it. ConfigError for an unknown code.
std::string crs_from_epsg(int code);

// The reference system that `text` names or describes, such as WKT or EPSG:4326, as RasterGrid::crs holds it; empty
// where it describes none.
std::string crs_from_text(const std::string& text);

// True when both texts describe the same reference system, whatever their axis order.
bool same_crs(const std::string& first, const std::string& second);

// "EPSG:32617 (WGS 84 / UTM zone 17N)", the name alone, or "no CRS".
std::string crs_title(const std::string& wkt);

// "<name> is ..., but <other_name> is ..."; empty where check_same_grid() finds nothing to refuse.
std::string grid_difference(const RasterGrid& grid, const std::string& name, const RasterGrid& other,
                            const std::string& other_name);

// Does nothing where both grids have the same size, the same CRS and corners within 1e-3 pixel of each other;
// georeferencing and CRS count where both grids have them. Otherwise DataError "<name> is ..., but <other_name> is ...;
// <rule>".
void check_same_grid(const RasterGrid& grid, const std::string& name, const RasterGrid& other,
                     const std::string& other_name, const std::string& rule);

// The map coordinates of the pixels of a raster, x in its first band and y in its second, as control points of a scene
// of `width` x `height` pixels (scene/sensor_geometry.hpp). DataError: the raster is of another size, or unreadable.
std::vector<ControlPoint> read_control_points(const std::string& path, Index width, Index height);

// The area of a pixel on the ground, on the ellipsoid of the CRS, in square metres; for projections such as UTM, in
// which it differs by less than half a percent, that on the map. It is not known without georeferencing or a CRS, nor
// where pixels of the grid differ by more than 2 % in their area, as in degrees or Web Mercator over a long way.
std::optional<double> pixel_area(const RasterGrid& grid);

// The grid in words.
struct GridText {
  std::string crs;         // "EPSG:32617 (WGS 84 / UTM zone 17N)", the name alone, or "no CRS"
  std::string pixel_size;  // "30 x 30 metre"; empty without georeferencing
};
GridText grid_text(const RasterGrid& grid);

struct PixelPositions {
  Matrix points;        // n x 2, of the centres of pixels
  bool metres = false;  // otherwise columns and rows
};

// In metres where the grid has a CRS: map coordinates times their unit where that is true to half a percent, and for
// degrees and other projections, such as Web Mercator, an azimuthal equidistant projection about the middle of the
// grid, unless this is beyond the limb of the earth. A grid without CRS gives columns and rows. `pixels` are row *
// width + column. DataError when the CRS is neither projected nor geographic, or its coordinates cannot be transformed.
PixelPositions pixel_positions(const RasterGrid& grid, const std::vector<std::int64_t>& pixels);

// How wide a pixel in the middle of the grid is, in metres: the side of a square of its area on the ground. Unset for a
// grid without CRS. DataError as above.
std::optional<double> pixel_metres(const RasterGrid& grid);

// Pixels of one of several grids.
struct GridPixels {
  RasterGrid grid;
  std::vector<std::int64_t> pixels;  // row * width + column
};

// The positions of all pixels, list by list, on one plane. In metres where every grid has a CRS: as above where that is
// one and true to scale, otherwise in an azimuthal equidistant projection about the middle of the first grid, in which
// no distance is less than on the ground. Else columns and rows, with the grids `apart` pixels, at least, below each
// other. DataError as above.
PixelPositions pixel_positions(const std::vector<GridPixels>& parts, double apart);

// Where on the ground pixels of several grids lie, list by list: cells as large as the largest of their pixels, equal
// for all pixels whose centres are in it; none for pixels of a grid without CRS, and for negative pixels.
std::vector<std::optional<GroundCell>> ground_cells(const std::vector<GridPixels>& parts);

// Brings points (n x 2, x and y) from one CRS to another, both as WKT, in place; without one of them nothing happens.
// DataError when they cannot be transformed.
void transform_points(const std::string& from, const std::string& to, Matrix& points);

// The pixels of `target`, ascending, that hold the centres of `pixels` of `grid`. Both grids have a geotransform.
// Errors as transform_points().
std::vector<std::int64_t> pixels_on_grid(const RasterGrid& grid, const std::vector<std::int64_t>& pixels,
                                         const RasterGrid& target);

}  // namespace parsimap
