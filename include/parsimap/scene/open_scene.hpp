// A scene that was opened from a file, together with what the file tells about itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/scene/geometry_lookup.hpp"
#include "parsimap/scene/quality.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

struct SceneDescription {
  std::string driver;              // GDAL's short name, such as "GTiff", or "MATLAB"
  std::string data_type;           // of the first band, such as "Int16"
  std::vector<std::string> files;  // all files that the scene consists of, the main one first
  std::int64_t bytes = 0;          // of all of them together; 0 where that is unknown
  std::optional<double> nodata;    // of all bands; unset where there is none or where the bands differ
  bool nodata_differs = false;     // True where the bands differ in it; alpha bands do not count.
  // The number of entries of a list of bad bands that does not have one for every band: such a list marks none.
  std::optional<Index> misfit_bad_band_entries;
  // Memory in which the source keeps decoded data by itself, beside GDAL's cache.
  std::int64_t kept_bytes = 0;
  std::string product;   // of an agency, with its level, such as "EnMAP L2A"; empty for other scenes
  std::string note;      // a sentence about what comes of other files, or is missing; empty where there is nothing
  std::string quantity;  // what the values of a product are, as in "reflectance"; empty where it is not known
};

struct OpenScene {
  std::unique_ptr<SceneSource> source;  // with all pixels, whatever the quality layers mark
  SceneDescription description;
  std::vector<QualityLayer> quality = {};              // of a product
  std::unique_ptr<GeometryLookup> geometry = nullptr;  // null where the scene comes with none
};

}  // namespace parsimap
