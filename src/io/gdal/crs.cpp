#include "parsimap/io/gdal/crs.hpp"

#include <ogr_spatialref.h>

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

}  // namespace parsimap
