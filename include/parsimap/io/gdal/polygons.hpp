// Class polygons written as a vector file.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace parsimap {

struct ClassPolygon {
  std::vector<std::array<double, 2>> ring;  // map coordinates x, y; first point equals last
  std::string class_name;
  std::string split;  // such as "train" or "test"
};

// One layer with the text fields `class_field` and `split`; the format is that of the extension (.gpkg, .geojson,
// .shp ...). `crs` is WKT, empty where unknown. Whole or not at all. ConfigError as check_output(); IoError.
void write_polygons(const std::string& path, const std::string& crs, const std::string& class_field,
                    const std::vector<ClassPolygon>& polygons, bool overwrite);

}  // namespace parsimap
