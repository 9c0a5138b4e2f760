#include "parts_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "parsimap/core/error.hpp"
#include "parsimap/core/sha256.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/core/text_file.hpp"
#include "parsimap/json/map_parts.hpp"
#include "parsimap/mapping/classify_scene.hpp"

#include "map_job.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

bool is_there(const std::string& path) {
  std::error_code failure;
  return fs::exists(path, failure);
}

// How the file differs from what the part's record says; empty where it does not.
std::string damage(const std::string& path, const PartFile& file) {
  std::error_code failure;
  const auto bytes = static_cast<std::int64_t>(fs::file_size(path, failure));
  if (failure) {
    return file.name + " is missing";
  }
  if (bytes != file.bytes) {
    return file.name + " has " + std::to_string(bytes) + " bytes, and had " + std::to_string(file.bytes);
  }
  return sha256_of_file(path) == file.sha256 ? "" : file.name + " is not what was written";
}

// What stays of killed processes is hidden, and a part is a number.
bool is_ours(const std::string& name) {
  return name == "plan.json" || name.starts_with(".plan.json-") || parse_number<Index>(name).has_value();
}

}  // namespace

PartsFolder::PartsFolder(const std::string& map) : path_(map + ".parts") {}

std::string PartsFolder::plan_file() const { return fs::path(path_) / "plan.json"; }

std::string PartsFolder::part_folder(Index number) const { return fs::path(path_) / std::to_string(number); }

std::string PartsFolder::record_file(Index number) const { return fs::path(part_folder(number)) / "part.json"; }

std::string PartsFolder::raster(Index number, const std::string& what) const {
  return fs::path(part_folder(number)) / (what + ".tif");
}

std::optional<MapPlan> PartsFolder::plan() const {
  const std::string file = plan_file();
  if (!is_there(file)) {
    return std::nullopt;
  }
  const std::string text = read_text_file(file);
  try {
    return plan_of_json(text);
  } catch (const DataError& error) {
    throw DataError("'" + file + "' is damaged: " + error.what() + "; remove '" + path_ + "' and begin again");
  }
}

FoundPart PartsFolder::find(const MapPlan& plan, Index number) const {
  FoundPart found;
  if (!is_there(record_file(number))) {
    return found;
  }
  try {
    found.part = part_of_json(read_text_file(record_file(number)));
  } catch (const DataError& error) {
    return {PartState::damaged, {}, "part.json: " + std::string(error.what())};
  }
  const MapPart& part = found.part;
  if (part.digest != plan_digest(plan) || part.shard != Shard{number, plan.parts} ||
      part.rows != part_rows(plan, part.shard) || part.class_pixels.size() != plan.classes.size() ||
      part.files.size() != (part.rows.size() > 0 ? plan.layers.size() + 1 : 0)) {
    return {PartState::foreign, {}, {}};
  }
  for (const PartFile& file : part.files) {
    if (std::string reason = damage(fs::path(part_folder(number)) / file.name, file); !reason.empty()) {
      return {PartState::damaged, {}, reason};
    }
  }
  found.state = PartState::complete;
  return found;
}

bool PartsFolder::remove() const {
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, failure)) {
    if (is_ours(entry.path().filename())) {
      std::error_code kept;  // which the end tells
      fs::remove_all(entry.path(), kept);
    }
  }
  return fs::remove(path_, failure);
}

MappingRecord record_of_parts(const MapPlan& plan, const std::string& map, const std::vector<MapPart>& parts) {
  MappingRecord record;
  record.scene = plan.scene;
  record.model = plan.model;
  record.map = map;
  std::map<MapLayer, std::string> layers;
  for (const MapLayerDescription& layer : map_layers()) {
    const auto planned = std::find_if(plan.layers.begin(), plan.layers.end(),
                                      [&](const PlannedLayer& one) { return one.option == layer.option; });
    if (planned != plan.layers.end()) {
      layers[layer.layer] = layer_path(map, *planned);
    }
  }
  record.layers = layer_files(layers);
  record.regularise = plan.regularise;
  record.regularisation = plan.regularisation;
  record.resampled = plan.resampled;
  for (const ClassEntry& entry : plan.classes) {
    record.classes.push_back({entry.code, entry.name, 0});
  }
  for (const MapPart& part : parts) {
    record.pixels += part.rows.size() * plan.grid.width;
    record.classified += part.classified;
    record.rejected += part.rejected;
    for (std::size_t c = 0; c < record.classes.size(); ++c) {
      record.classes[c].pixels += part.class_pixels[c];
    }
    record.seconds += part.seconds;
    for (const auto& [name, seconds] : part.stages) {
      const auto stage = std::find_if(record.stages.begin(), record.stages.end(),
                                      [&, wanted = name](const auto& one) { return one.first == wanted; });
      if (stage == record.stages.end()) {
        record.stages.emplace_back(name, seconds);
      } else {
        stage->second += seconds;
      }
    }
    record.peak_memory_bytes = std::max(record.peak_memory_bytes, part.peak_memory_bytes);
  }
  return record;
}

void add_choice(const MapPlan& plan, MappingRecord& record) {
  if (plan.regularise != plan.regularisation) {
    record.stages.insert(record.stages.begin(), {"choose", plan.choice_seconds});
    record.seconds += plan.choice_seconds;
  }
}

std::string layer_path(const std::string& map, const PlannedLayer& layer) {
  return fs::path(map).parent_path() / layer.file;
}

std::string planned_path(const std::string& map, const std::string& file) {
  if (fs::path(file).is_absolute()) {
    return file;
  }
  const fs::path folder = fs::absolute(map).lexically_normal().parent_path();
  return fs::absolute(file).lexically_normal().lexically_relative(folder);
}

}  // namespace parsimap
