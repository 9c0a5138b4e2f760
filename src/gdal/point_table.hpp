// Points in a table without geometries, such as a CSV file: two of its columns are coordinates.
#pragma once

#include <ogr_feature.h>
#include <ogr_geometry.h>
#include <ogrsf_frmts.h>

#include <memory>
#include <optional>
#include <string>

#include "parsimap/gdal/labels.hpp"

namespace parsimap {

struct PointColumns {
  int x = 0;  // indices of the fields
  int y = 0;
  bool degrees = false;  // by their names they are longitudes and latitudes
};

// The columns that the options name, or else those with one of the usual pairs of names: lon and lat, longitude and
// latitude, x and y, easting and northing and some others, in upper or lower case. Nothing for a layer with geometries.
// ConfigError: a column that does not exist, columns named for a layer with geometries. DataError: no column has a
// usual name (the fields are listed).
std::optional<PointColumns> point_columns(OGRLayer& layer, const std::string& path, const LabelOptions& options);

// The point of a row; null where a coordinate is missing. DataError for one that is no number.
std::unique_ptr<OGRGeometry> point_of(const OGRFeature& row, const PointColumns& columns, const std::string& path);

// "species (String), code (Integer)"
std::string field_list(const OGRFeatureDefn& definition);

}  // namespace parsimap
