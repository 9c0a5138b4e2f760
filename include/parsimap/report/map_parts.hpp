// A map that is made in parts: what all parts have in common, and what one part is. Plain values, and their documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/spectral_library.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// A layer that is written beside the map.
struct PlannedLayer {
  std::string option;  // as in "decision-values"
  std::string file;    // relative to the folder of the map, unless it was given as an absolute path
};

// Found once, and followed by every part.
struct MapPlan : MapOrigin {
  std::string version;  // of the program
  Index parts = 1;
  // Names and values of all that decides what is in the map: the version, the number of parts, digests of the files
  // that are read, options. Names of the files that are read are not among them.
  std::vector<std::pair<std::string, std::string>> facts;
  double choice_seconds = 0;  // of choosing the regularisation in effect
  RasterGrid grid;            // of the whole map
  Index unit = 1;             // rows that are never divided
  ClassTable classes;
  std::vector<PlannedLayer> layers;
  std::optional<std::string> format;  // of all rasters, with its creation options
  std::vector<std::string> creation_options;
};

// The SHA-256 of facts.
std::string facts_digest(const std::vector<std::pair<std::string, std::string>>& facts);

// That of the facts and of what was found: parts of equal digests belong together.
std::string plan_digest(const MapPlan& plan);

// How the facts of a job differ from those of a plan, as in "--reject is 0.5 there and 0.7 here"; empty where they do
// not.
std::string plan_difference(const MapPlan& plan, const std::vector<std::pair<std::string, std::string>>& facts);

// The rows of the map that are a part.
ItemRange part_rows(const MapPlan& plan, const Shard& shard);

// A file of a part, in the folder of the part.
struct PartFile {
  std::string name;
  std::int64_t bytes = 0;
  std::string sha256;
};

struct MapPart : MapCounts {
  Shard shard;
  std::string digest;  // of the plan
  ItemRange rows;
  std::vector<PartFile> files;             // the map first, then the layers as in the plan; none without rows
  std::vector<std::int64_t> class_pixels;  // as the classes of the plan
};

// A whole map that is one of several, which processes share out.
struct SceneMapRecord {
  std::string digest;                   // of what it is made of
  std::optional<MappingRecord> record;  // unset as long as it is being made
  std::vector<std::int64_t> bytes;      // of the map and of the other files of the record, in their order
};

// ---- documents: one line of JSON each, which ends in a checksum of its own text (json/json_text.hpp) ----

std::string plan_json(const MapPlan& plan);
std::string part_json(const MapPart& part);
std::string scene_map_json(const SceneMapRecord& record);

// DataError: the text is damaged, or no such document; it says what is wrong, and not where the text is from.
MapPlan plan_of_json(const std::string& text);
MapPart part_of_json(const std::string& text);
SceneMapRecord scene_map_of_json(const std::string& text);

}  // namespace parsimap
