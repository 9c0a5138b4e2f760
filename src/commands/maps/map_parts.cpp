#include "map_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/mapping/map_window.hpp"

#include "../job_frame.hpp"
#include "map_work.hpp"

namespace parsimap {

namespace fs = std::filesystem;

static bool is_there(const std::string& path) {
  std::error_code failure;
  return fs::exists(path, failure);
}

// How the file differs from what the part's record says; empty where it does not.
static std::string damage(const std::string& path, const PartFile& file) {
  const std::optional<std::int64_t> bytes = bytes_of_file(path);
  if (!bytes) {
    return file.name + " is missing";
  }
  if (bytes != file.bytes) {
    return file.name + " has " + std::to_string(*bytes) + " bytes, and had " + std::to_string(file.bytes);
  }
  return sha256_of_file(path) == file.sha256 ? "" : file.name + " is not what was written";
}

// What stays of killed processes is hidden.
static bool is_plan(const std::string& name) { return name == "plan.json" || name.starts_with(".plan.json-"); }

// What cannot be removed keeps the folder that it lies in.
static void remove_file(const fs::path& file) {
  std::error_code kept;
  fs::remove(file, kept);
}

static void remove_part(const fs::path& folder) {
  const fs::path record = folder / "part.json";
  try {
    // What a killed process left goes first.
    repair_outputs({record});
    for (const PartFile& file : part_of_json(read_text_file(record)).files) {
      // With the side files that are written beside a raster.
      const fs::path raster = folder / fs::path(file.name).filename();
      remove_file(raster);
      remove_file(raster.string() + ".aux.xml");
      remove_file(fs::path(raster).replace_extension("qml"));
    }
    remove_file(record);
  } catch (const DataError&) {
    return;  // a damaged record names nothing
  } catch (const IoError&) {
    return;  // and so does one that is not there
  }
  remove_file(folder);
}

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
    // Four states: without a record a part is missing, whatever files are there, since the record is published last. A
    // record that cannot be read, or a file that differs from its size or checksum in the record, makes it damaged. A
    // part of another plan, or of another division, is foreign. Sizes are compared before checksums, which have to read
    // the file.
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
  // Of a part, what its record names is removed, and the plan. Other files keep the folder in place, and the last
  // remove() then returns false.
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, failure)) {
    const std::string name = entry.path().filename();
    if (parse_number<Index>(name)) {
      remove_part(entry.path());
    } else if (is_plan(name)) {
      remove_file(entry.path());
    }
  }
  return fs::remove(path_, failure);
}

// Layers are named in a plan by their options, which are also the names of their files in the folders of parts.
static const MapLayerDescription& layer_of(const PlannedLayer& planned) {
  return *std::ranges::find(map_layers(), planned.option, &MapLayerDescription::option);
}

MappingRecord record_of_parts(const MapPlan& plan, const std::string& map, const std::vector<MapPart>& parts) {
  MappingRecord record;
  static_cast<MapOrigin&>(record) = static_cast<const MapOrigin&>(plan);
  record.map = map;
  record.layers = layer_files(layers_of(plan, map));
  record.classes = without_pixels(plan.classes);
  for (const MapPart& part : parts) {
    // Counts and times of the parts add up to those of the map; memory is the maximum over the parts, which ran in
    // processes of their own.
    record.pixels += part.rows.size() * plan.grid.width;
    record.classified += part.classified;
    record.rejected += part.rejected;
    record.undeclared += part.undeclared;
    for (std::size_t c = 0; c < record.classes.size(); ++c) {
      record.classes[c].pixels += part.class_pixels[c];
    }
    record.deciding.resize(std::max(record.deciding.size(), part.deciding.size()));
    for (std::size_t f = 0; f < part.deciding.size(); ++f) {
      DecidingFeature sum = part.deciding[f];
      sum.pixels += record.deciding[f].pixels;
      sum.hanging += record.deciding[f].hanging;
      record.deciding[f] = sum;
    }
    if (part.sets) {
      SetSizes sum = *part.sets;
      for (std::size_t size = 0; record.sets && size < sum.pixels.size(); ++size) {
        sum.pixels[size] += record.sets->pixels[size];
      }
      record.sets = sum;
    }
    record.seconds += part.seconds;
    for (const auto& [name, seconds] : part.stages) {
      const auto stage = std::ranges::find(record.stages, name, &StageSeconds::value_type::first);
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

std::map<MapLayer, std::string> layers_of(const MapPlan& plan, const std::string& map) {
  std::map<MapLayer, std::string> layers;
  for (const MapLayerDescription& layer : map_layers()) {
    const auto planned = std::ranges::find(plan.layers, layer.option, &PlannedLayer::option);
    if (planned != plan.layers.end()) {
      layers[layer.layer] = fs::path(map).parent_path() / planned->file;
    }
  }
  return layers;
}

std::string planned_path(const std::string& map, const std::string& file) {
  if (fs::path(file).is_absolute()) {
    return file;
  }
  // A relative name depends on the folder in which a process runs. The plan has names relative to the folder of the
  // map, which are the same for all processes that share this folder, also where it is mounted at different places.
  const fs::path folder = fs::absolute(map).lexically_normal().parent_path();
  return fs::absolute(file).lexically_normal().lexically_relative(folder);
}

struct PartOutputs::Rasters {
  std::unique_ptr<ClassMapSink> map;
  std::vector<std::unique_ptr<FieldSink>> layers;
  std::optional<WindowOutputs> sinks;  // those of the rows of the whole map
};

PartOutputs::PartOutputs(const PartsFolder& folder, const MapPlan& plan, const Shard& shard)
    : set_(true), rasters_(std::make_unique<Rasters>()) {
  set_.make_folder(folder.part_folder(shard.number));
  record_ = &set_.stage("part", folder.record_file(shard.number));
  const ItemRange rows = part_rows(plan, shard);
  if (rows.size() == 0) {
    return;
  }
  const Window window{0, rows.first, plan.grid.width, rows.size()};
  const RasterGrid grid = grid_of_window(plan.grid, window);
  MapOutputs outputs;
  staged_.push_back(&stage_raster(set_, "part of the map", folder.raster(shard.number, "map"), {}));
  rasters_->map = create_class_map(*staged_.back(), grid, plan.classes, {});
  outputs.map = rasters_->map.get();
  for (const PlannedLayer& planned : plan.layers) {
    const MapLayerDescription& layer = layer_of(planned);
    staged_.push_back(&stage_raster(set_, "part of --" + layer.option, folder.raster(shard.number, layer.option), {}));
    rasters_->layers.push_back(create_field(*staged_.back(), grid, layer.bands(plan.classes), {}));
    outputs.layers[layer.layer] = rasters_->layers.back().get();
  }
  sinks_ = rasters_->sinks.emplace(outputs, window).outputs();
}

PartOutputs::~PartOutputs() = default;

void PartOutputs::complete(MapPart& part) {
  // Closing a sink reads the raster back and compares it (docs/reliability.md). The size and checksum of a part are
  // therefore those of files that are known to be correct.
  for (const auto& layer : rasters_->layers) {
    layer->close();
  }
  if (rasters_->map != nullptr) {
    rasters_->map->close();
  }
  for (const StagedOutput* staged : staged_) {
    part.files.push_back({std::filesystem::path(staged->target).filename(), bytes_of_file(staged->path).value_or(0),
                          sha256_of_file(staged->path)});
  }
}

void PartOutputs::publish(const MapPart& part) {
  write_text(*record_, part_json(part));
  set_.publish();
}

static std::string colour_text(const ClassTable& classes) {
  return separated(classes, ", ", [](const ClassEntry& entry) {
    const auto numbers = [](const Colour& colour) {
      return separated(colour, "/", [](int value) { return std::to_string(value); });
    };
    return std::to_string(entry.code) + (entry.colour ? " " + numbers(*entry.colour) : "");
  });
}

// Of every file that the description of the command names and that is read, also where two options name the same file.
static void add_digests(const MapOptions& options, const InputScene& scene, MapFacts& facts) {
  MapOptions copy = options;
  for (const NamedFile& file : input_files(work_syntax(copy))) {
    for (const auto& [role, path] : roles_and_paths({file})) {
      if (role == "model") {
        facts.emplace_back(kModelDigestFact, sha256_of_file(path));
        continue;
      }
      std::vector<std::string> files = path == options.scene.path ? scene.description.files : files_of_input(path);
      if (files.empty()) {
        files = {path};
      }
      facts.emplace_back("the digest of the " + role, sampled_digest(files));
    }
  }
}

// Every option that changes the map, set or not. Of input files there are digests, and layers are named as in the plan.
static void add_settings(const MapOptions& options, const Model& model, MapFacts& facts) {
  MapOptions named = options;
  for (auto& [layer, path] : named.layers) {
    path = planned_path(options.map, path);
  }
  named.regularise = regularisation_of(options, model);
  for (const OptionSyntax& option : all_options(work_syntax(named))) {
    // A value that could name a file but does not, such as a box, is a setting.
    const bool input_file =
        !option.file.contents.empty() && !option.file.written && (!option.files || !option.files().empty());
    if (option.effect != Effect::result || input_file) {
      continue;
    }
    const std::optional<OptionValue> value = option.field.value();
    facts.emplace_back("--" + option.name, value ? separated(value_texts(*value), ", ") : "unset");
  }
}

MapFacts map_facts(const MapOptions& options, Index parts, const InputScene& scene, const Model& model) {
  const RasterGrid& grid = scene.source->grid();
  MapFacts facts = {{"the version of parsimap", PARSIMAP_VERSION},
                    {"the number of parts", std::to_string(parts)},
                    {"the size of the scene", std::to_string(grid.width) + " x " + std::to_string(grid.height)},
                    {"the colours of the classes", colour_text(model.classes)}};
  add_digests(options, scene, facts);
  add_settings(options, model, facts);
  return facts;
}

// Of the map itself, the layers and the page.
static std::vector<std::int64_t> sizes_of(const MappingRecord& record) {
  // Sizes are a quick test whether the files of an earlier call are still in place. Checksums would take as long as
  // reading all maps of a series.
  std::vector<std::int64_t> bytes = {bytes_of_file(record.map).value_or(0)};
  for (const LayerFile& layer : record.layers) {
    if (layer.file) {
      bytes.push_back(bytes_of_file(*layer.file).value_or(0));
    }
  }
  if (record.report) {
    bytes.push_back(bytes_of_file(*record.report).value_or(0));
  }
  return bytes;
}

// What the file says, or nothing where it says nothing that can be relied on.
static SceneMapRecord read_record(const std::string& path) {
  try {
    return scene_map_of_json(read_text_file(path));
  } catch (const DataError&) {
    return {};
  }
}

static std::string digest_of(const MapOptions& options) {
  const InputScene scene = open_input_scene(options.scene);
  Model model = load_or_explain(options.model);
  Listener silent;
  colour_classes(model.classes, read_colour_rules(options.colours, silent));
  MapFacts facts = map_facts(options, 1, scene, model);
  facts.emplace_back("--report", options.report.value_or("unset"));
  return facts_digest(facts);
}

MappingRecord map_once(const MapOptions& options, const std::string& record, Listener& listener) {
  // The record file is written twice: with the digest alone before the map is begun, and with sizes and counts when it
  // is complete. A process that finds the first form with its own digest knows that the map by this name is its own
  // unfinished work, and may replace it without --overwrite. A complete record whose files have their sizes ends the
  // work.
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
