#include "map_once.hpp"

#include <filesystem>
#include <system_error>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text_file.hpp"
#include "parsimap/job/shared_file.hpp"
#include "parsimap/json/map_parts.hpp"

#include "map_facts.hpp"
#include "map_job.hpp"
#include "model_bands.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

// Of the map itself, the layers and the page.
std::vector<std::int64_t> sizes_of(const MappingRecord& record) {
  std::vector<std::int64_t> bytes = {file_bytes(record.map)};
  for (const LayerFile& layer : record.layers) {
    if (layer.file) {
      bytes.push_back(file_bytes(*layer.file));
    }
  }
  if (record.report) {
    bytes.push_back(file_bytes(*record.report));
  }
  return bytes;
}

// What the file says, or nothing where it says nothing that can be relied on.
SceneMapRecord read_record(const std::string& path) {
  try {
    return scene_map_of_json(read_text_file(path));
  } catch (const DataError&) {
    return {};
  }
}

std::string digest_of(const MapOptions& options) {
  const InputScene scene = open_input_scene(options.scene);
  Model model = load_or_explain(options.model);
  Listener silent;
  colour_classes(model.classes, read_colour_rules(options.colours, silent));
  MapFacts facts = map_facts(options, 1, scene, model);
  facts.emplace_back("--report", options.report.value_or("unset"));
  return facts_digest(facts);
}

}  // namespace

MappingRecord map_once(const MapOptions& options, const std::string& record, Listener& listener) {
  const std::string digest = digest_of(options);
  SceneMapRecord known = read_record(record);
  const bool ours = known.digest == digest;
  if (ours && known.record && sizes_of(*known.record) == known.bytes && known.bytes.front() > 0) {
    listener.message("'" + options.map + "' is complete already");
    known.record->scene = options.scene.path;
    return *known.record;
  }
  MapOptions job = options;
  job.overwrite = options.overwrite || ours;
  std::error_code failure;
  if (known.digest.empty() && fs::exists(record, failure) && !options.overwrite) {
    throw ConfigError("output file '" + record + "' exists; use --overwrite to replace it");
  }
  const bool begins = job.overwrite || !fs::exists(options.map, failure);
  if (begins) {
    // From here on a map by that name is of this job.
    write_anew(record, scene_map_json({digest, {}, {}}));
  }
  try {
    SceneMapRecord done{digest, map_scene(job, listener), {}};
    done.bytes = sizes_of(*done.record);
    write_anew(record, scene_map_json(done));
    return *done.record;
  } catch (...) {
    if (begins) {
      fs::remove(record, failure);
    }
    throw;
  }
}

}  // namespace parsimap
