#include "label_place.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/georeference.hpp"

#include "dataset.hpp"

namespace parsimap {

void check_grid_on_map(const std::string& path, const RasterGrid& grid, const std::string& grid_name) {
  if (!grid.geotransform && !grid.control_points.empty()) {
    throw DataError(path + " has map coordinates, but " + grid_name +
                    " is in the sensor's own geometry and has control points alone, which do not place single pixels; "
                    "with --orthorectify the scene and its map lie on the grid of the geometry lookup table (GLT) that "
                    "comes with it, and gdalwarp puts other rasters on a map");
  }
}

std::string crs_of_labels(const std::string& path, const std::string& own, std::optional<int> epsg,
                          const RasterGrid& grid, const std::string& grid_name, std::vector<std::string>& messages) {
  check_grid_on_map(path, grid, grid_name);
  const std::string said = epsg ? crs_from_epsg(*epsg) : "";
  if (!own.empty() && !said.empty() && !same_crs(own, said)) {
    throw ConfigError(path + " is in " + crs_title(own) + ", but --crs says " + crs_title(said) +
                      "; --crs is for labels that do not name their coordinate reference system");
  }
  const std::string crs = own.empty() ? said : own;
  if (crs.empty() && !grid.crs.empty()) {
    messages.push_back(path + " names no coordinate reference system: its coordinates are taken to be in that of " +
                       grid_name + ", " + crs_title(grid.crs) + "; --crs EPSG:n names another");
  } else if (!crs.empty() && grid.crs.empty()) {
    messages.push_back(grid_name + " names no coordinate reference system: it is taken to be in that of " + path +
                       ", " + crs_title(crs));
  }
  return grid.crs.empty() ? "" : crs;
}

std::unique_ptr<OGRCoordinateTransformation> transformation_between(const std::string& from, const std::string& to,
                                                                    const std::string& path) {
  if (from.empty() || to.empty() || same_crs(from, to)) {
    return nullptr;
  }
  const OGRSpatialReference source = spatial_reference(from);
  const OGRSpatialReference target = spatial_reference(to);
  const ErrorCollector errors;
  std::unique_ptr<OGRCoordinateTransformation> transformation(OGRCreateCoordinateTransformation(&source, &target));
  if (transformation == nullptr) {
    throw DataError(path + " cannot be brought from " + crs_title(from) + " to " + crs_title(to) + ": " +
                    errors.text());
  }
  return transformation;
}

}  // namespace parsimap
