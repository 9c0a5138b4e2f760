// Vector files and tables of points, opened as users name them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../raster/dataset.hpp"

namespace parsimap {

struct VectorSource {
  std::unique_ptr<MemoryFile> table = {};  // what GDAL reads in place of a table of text; goes after the dataset
  DatasetPtr dataset = {};                 // null where GDAL does not open the file
  std::vector<std::string> files = {};     // that it consists of
  std::string reason = {};                 // GDAL's, where it does not open it
};

// Opens the file, layer or archive called `name` (source_name()). Tables of text (.csv, .tsv, .txt) are read by
// read_text_table() and handed to GDAL in one form, with columns of numbers as such. IoError where reading fails.
VectorSource open_vector_source(const std::string& name);

// Selects the features of a layer by a condition, if there is one; the first is the next to be read. ConfigError where
// the condition is several, of which SQLite would take the first alone, or does not go with the fields.
void select_features(OGRLayer& layer, const std::string& name, const std::optional<std::string>& where);

// Whether the reference system of the file is one that its driver assumes because the file names none: GeoJSON without
// "crs", which by its standard is in degrees, but often is not. Those of KML and GPX have no other.
bool assumes_crs(const std::string& name);

}  // namespace parsimap
