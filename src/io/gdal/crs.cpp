#include "parsimap/io/gdal/crs.hpp"

#include <ogr_spatialref.h>

#include <array>
#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/settings.hpp"

#include "dataset.hpp"

namespace parsimap {

std::string crs_from_epsg(int code) {
  initialise_gdal();
  const gdal::ErrorCollector errors;
  OGRSpatialReference reference;
  if (reference.importFromEPSG(code) != OGRERR_NONE) {
    throw ConfigError(std::to_string(code) +
                      " is not the EPSG code of a coordinate reference system: " + errors.text());
  }
  return gdal::wkt_of(&reference);
}

std::optional<double> pixel_area(const RasterGrid& grid) {
  if (!grid.geotransform || grid.crs.empty()) {
    return std::nullopt;
  }
  const OGRSpatialReference reference = gdal::spatial_reference(grid.crs);
  if (reference.IsProjected() == 0 && reference.IsLocal() == 0) {
    return std::nullopt;
  }
  const std::array<double, 6>& g = *grid.geotransform;
  return std::abs(g[1] * g[5] - g[2] * g[4]) * std::pow(reference.GetLinearUnits(), 2);
}

}  // namespace parsimap
