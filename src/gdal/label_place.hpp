// Where labels lie: the reference system that they are taken to be in, and the way from it to that of a scene.
#pragma once

#include <ogr_spatialref.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

// DataError where `path`, which has map coordinates, is to be placed on a grid in the sensor's own geometry, of which
// only control points are known.
void check_grid_on_map(const std::string& path, const RasterGrid& grid, const std::string& grid_name);

// The reference system of labels whose file says `own`, and whose user says `epsg`. Empty where it is taken to be that
// of the scene, because the labels or the scene have none; `messages` gets a sentence that says so. ConfigError where
// the file and the user contradict each other; DataError as check_grid_on_map().
std::string crs_of_labels(const std::string& path, const std::string& own, std::optional<int> epsg,
                          const RasterGrid& grid, const std::string& grid_name, std::vector<std::string>& messages);

// What brings coordinates in `from` to `to`, both WKT; null where they are the same, or where one of both is unknown.
// DataError, which begins with `path`, where there is no way.
std::unique_ptr<OGRCoordinateTransformation> transformation_between(const std::string& from, const std::string& to,
                                                                    const std::string& path);

}  // namespace parsimap
