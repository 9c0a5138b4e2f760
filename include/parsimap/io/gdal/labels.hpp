// Labels of a scene's pixels, from a class raster or from vector features. Memory is bounded by the labelled area.
//
// Raster: same size and position as the scene (to 1e-3 pixel) and the same CRS; a raster without georeferencing is
// taken to lie on the scene. Vector: features are brought to the scene's CRS; a vector or scene without CRS is taken to
// share the other's. A polygon owns the pixels whose centre lies in it, a point the pixel that contains it, a line the
// pixels GDAL's line rasterisation gives. A pixel claimed by two different classes is dropped and counted; one claimed
// twice by the same class belongs to the first feature, and there to its first part. Empty text, NULL and 0 mean
// unlabelled.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

struct LabelOptions {
  std::optional<std::string> class_field;       // of a vector: integer (the codes) or text (codes 1 .. K in byte order)
  std::optional<std::string> where;             // of a vector: SQL condition that selects features
  std::optional<std::string> group_field = {};  // of a vector: features of equal value form a group, whatever its type;
                                                // without a value a feature is by itself
  // Of a vector: every part of a feature (polygon, line or point of a collection, however nested) is a region of its
  // own; otherwise the features are.
  bool separate_parts = false;
};

// `grid_name` names the scene in messages.
// ConfigError: `class_field` missing, unknown or of another type (the fields are listed), `group_field` unknown,
// options a raster cannot obey, a condition that does not parse. DataError: unreadable labels, another grid or CRS, no
// feature on the grid, codes outside 1 .. 65535.
LabelledPixels read_labels(const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                           const std::string& grid_name);

// The labels of several vector files under the same options, as if they were one: classes are the same by name, or by
// code. A single file may be a raster. ConfigError also when several files do not agree in the type of their class
// field.
LabelledPixels read_labels(const std::vector<std::string>& paths, const LabelOptions& options, const RasterGrid& grid,
                           const std::string& grid_name);

}  // namespace parsimap
