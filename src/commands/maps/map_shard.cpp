#include "parsimap/commands/maps/map_shard.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/mapping/map_window.hpp"
#include "parsimap/report/map_parts.hpp"

#include "../job_frame.hpp"
#include "map_parts.hpp"
#include "map_work.hpp"

namespace parsimap {

namespace fs = std::filesystem;

static void check_options(const MapOptions& options) {
  for (const auto& [given, text] :
       {std::pair(options.segments || options.segments_out,
                  "--segments does not go with --shard: a segment may lie in several parts of the map"),
        std::pair(options.polygonise.has_value(),
                  "--polygonise does not go with --shard: an area may lie in several parts of the map"),
        std::pair(options.stac.has_value(),
                  "--stac does not go with --shard: it describes the whole map, which the merge makes"),
        std::pair(options.report.has_value(),
                  "--report does not go with --shard: a part of a map has no page; 'parsimap report' makes one of the "
                  "map when its parts are merged")}) {
    if (given) {
      throw ConfigError(text);
    }
  }
}

// Rows that are never divided: those of a storage block of the map, or of one of the scene that is made of several of
// these, so that no block of it is decoded for two parts.
static Index unit_of(const MapOptions& options, const SceneSource& scene) {
  constexpr Index kMost = 16;  // of the map's
  // Without a whole number of storage blocks in a part, two processes would decode the same block of the scene, or a
  // block of the merged map would consist of two parts. At most sixteen blocks of the map form a unit; larger blocks of
  // a scene are not regarded.
  const Index rows = storage_rows(options.map, options.format);
  const Index own = scene.block_height();
  return own % rows == 0 && own <= kMost * rows ? std::max(own, rows) : rows;
}

// Announces the outputs of the whole map to a set that goes when this returns: `use` may try to make them.
static void try_outputs(const MapOptions& options, const InputScene& scene,
                        const std::function<void(MapFiles&)>& use = {}) {
  OutputSet outputs(options.overwrite);
  add_inputs(outputs, scene);
  add_inputs_of(outputs, options);
  MapFiles files(outputs, options, options.format);
  if (use) {
    use(files);
  }
}

// What the first process finds out for all.
static MapPlan make_plan(const MapWork& work, const Shard& shard, const MapFacts& facts) {
  const MapOptions& options = work.options;
  SceneSource& scene = *work.scene.source;
  // Creation options that do not go together are to fail now rather than when all parts are there.
  try_outputs(options, work.scene, [&](MapFiles& files) {
    files.create(RasterGrid{1, 1, {}, {}}, work.model.classes);
  });
  MapPlan plan;
  plan.version = PARSIMAP_VERSION;
  plan.parts = shard.count;
  plan.facts = facts;
  Stopwatch watch;
  static_cast<MapOrigin&>(plan) = origin_of(work, resolve_regularisation(scene, work.model, mapping_of(work)));
  plan.choice_seconds = watch.seconds();
  plan.grid = grid_of_window(scene.grid(), work.scene.window());
  plan.unit = unit_of(options, scene);
  plan.classes = work.model.classes;
  for (const auto& [layer, file] : options.layers) {
    plan.layers.push_back({map_layer(layer).option, planned_path(options.map, file)});
  }
  plan.format = options.format.format;
  plan.creation_options = options.format.creation_options;
  return plan;
}

// The plan that is there, where it is that of this job; none where it is to be replaced.
static std::optional<MapPlan> matching_plan(const PartsFolder& folder, const MapFacts& facts, bool overwrite) {
  std::optional<MapPlan> plan;
  try {
    plan = folder.plan();
  } catch (const DataError&) {
    if (!overwrite) {
      throw;
    }
  }
  const std::string difference = plan ? plan_difference(*plan, facts) : "";
  if (!difference.empty() && !overwrite) {
    throw ConfigError("'" + folder.path() + "' holds parts of another map: " + difference +
                      "; use --overwrite to begin again, or remove the folder");
  }
  return difference.empty() ? plan : std::nullopt;
}

static MapPlan common_plan(const PartsFolder& folder, const MapWork& work, const Shard& shard) {
  const MapOptions& options = work.options;
  const MapFacts facts = map_facts(options, shard.count, work.scene, work.model);
  if (std::optional<MapPlan> plan = matching_plan(folder, facts, options.overwrite)) {
    return *plan;
  }
  // Several processes may reach this point at once, each with its own plan. write_if_absent() lets the first one win,
  // and all of them read the plan that is then in place: parts are never made by different choices of the
  // regularisation.
  const MapPlan plan = make_plan(work, shard, facts);
  std::error_code failure;
  fs::create_directory(folder.path(), failure);
  if (!fs::is_directory(folder.path())) {
    throw ConfigError("the folder '" + folder.path() + "' of the parts cannot be made: " + failure.message());
  }
  if (options.overwrite) {
    // Another process of this job may have been here meanwhile, whose parts follow its plan.
    const std::optional<MapPlan> another = matching_plan(folder, facts, true);
    if (!another) {
      write_anew(folder.plan_file(), plan_json(plan));
    }
  } else {
    write_if_absent(folder.plan_file(), plan_json(plan));
  }
  // That of the process that was first.
  const std::optional<MapPlan> common = matching_plan(folder, facts, false);
  return common ? *common : plan;
}

static std::string name_of(const Shard& shard, const MapOptions& options) {
  return "part " + std::to_string(shard.number) + " of " + std::to_string(shard.count) + " of '" + options.map + "'";
}

static MapPart make_part(MapWork& work, const Shard& shard, const MapPlan& plan, PartOutputs& outputs,
                         Listener& listener) {
  Stopwatch watch;
  MapPart part;
  part.shard = shard;
  part.digest = plan_digest(plan);
  part.rows = part_rows(plan, shard);
  part.class_pixels.assign(plan.classes.size(), 0);
  // A part without rows is complete as well: it has a record and no files.
  if (part.rows.size() > 0) {
    MappingOptions mapping = mapping_of(work);
    mapping.regularisation = parse_regularisation(plan.regularisation);
    // The rows of a part are those of the map, which may be that of a region.
    const Window window = work.scene.window();
    mapping.rows = {part.rows.first + window.row, part.rows.last + window.row};
    const WindowOutputs sinks(outputs.sinks(), window);
    const MappingSummary summary = classify(work, mapping, sinks.outputs(), listener);
    static_cast<MapCounts&>(part) = counts_of(work, summary);
    part.class_pixels = summary.class_pixels;
  } else {
    part.stages = {{"write", 0}};
  }
  watch.lap();
  outputs.complete(part);
  part.stages.back().second += watch.lap();
  part.seconds = watch.seconds();
  part.peak_memory_bytes = peak_memory_bytes();
  return part;
}

MappingRecord map_shard(const MapOptions& options, const Shard& shard, Listener& listener) {
  check_options(options);
  // All processes of a map call this function with the same options and different numbers. They agree on a plan, skip
  // parts that are complete, and publish theirs with a record as the last file. Number 0 only makes the plan.
  const PartsFolder folder(options.map);
  const Job job(options, listener);
  repair_files({folder.record_file(shard.number)}, listener);
  MapWork work = open_work(options, listener);
  // The outputs of the map are not made here, but whether they can be is known: the names and formats of the final
  // outputs are checked as if they were made here, so that merging cannot fail for this reason.
  try_outputs(options, work.scene);
  prepare(work, listener);
  const MapPlan plan = common_plan(folder, work, shard);
  const auto record_with = [&](const std::vector<MapPart>& parts, bool done) {
    MappingRecord record = record_of_parts(plan, options.map, parts);
    record.shard = MapShard{shard, shard.number == 0 ? ItemRange{} : part_rows(plan, shard), folder.path(), done};
    return record;
  };
  if (shard.number == 0) {
    MappingRecord planned = record_with({}, false);
    add_choice(plan, planned);
    return planned;
  }
  const FoundPart found = folder.find(plan, shard.number);
  if (found.state == PartState::complete) {
    listener.message(name_of(shard, options) + " is complete already");
    return record_with({found.part}, true);
  }
  if (found.state == PartState::foreign && !options.overwrite) {
    throw ConfigError(name_of(shard, options) + " in '" + folder.part_folder(shard.number) +
                      "' is one of another map; use --overwrite to replace it");
  }
  if (found.state == PartState::damaged) {
    listener.warn("damaged-part", name_of(shard, options) + " is damaged and made again: " + found.reason);
  }
  PartOutputs outputs(folder, plan, shard);
  const MapPart part = make_part(work, shard, plan, outputs, listener);
  // Another process may have been given the same part. It is the same in every bit.
  if (folder.find(plan, shard.number).state != PartState::complete) {
    outputs.publish(part);
  }
  return record_with({part}, false);
}

}  // namespace parsimap
