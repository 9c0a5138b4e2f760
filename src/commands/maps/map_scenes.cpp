#include "parsimap/commands/maps/map_scenes.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/gdal/raster/mosaic.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/mapping/mosaic.hpp"
#include "parsimap/text/text_tables.hpp"

#include "../command_pages.hpp"
#include "../job_frame.hpp"
#include "map_parts.hpp"
#include "map_work.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

// What the work says when it fails; empty where it does not.
std::string failure_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const ConfigError& error) {
    return error.what();
  } catch (const DataError& error) {
    return error.what();
  } catch (const IoError& error) {
    return error.what();
  }
}

fs::path without_slash(const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

std::string short_name(const std::string& path) { return without_slash(path).stem().string(); }

std::string long_name(const std::string& path) {
  const fs::path folder = fs::absolute(without_slash(path)).lexically_normal().parent_path();
  return folder.filename().string() + "_" + short_name(path);
}

void check_options(const ClassifyOptions& options) {
  if (!options.output_folder && !options.mosaic) {
    throw ConfigError("several scenes need --output-dir for a map of each, or --mosaic for one of them all");
  }
  if (options.mosaic && is_virtual_mosaic(*options.mosaic) && !options.output_folder) {
    throw ConfigError("--mosaic is the VRT '" + *options.mosaic +
                      "', which names the maps that it is made of; it needs --output-dir");
  }
  if (options.shard && options.mosaic) {
    throw ConfigError(
        "--mosaic does not go with --shard, which makes the maps of some of the scenes: make all of them "
        "with --output-dir, and join them then, for instance with gdalbuildvrt");
  }
  if (options.like && !options.mosaic) {
    throw ConfigError("--like says what grid --mosaic has, which is not given");
  }
  if (options.segments || options.segments_out) {
    throw ConfigError("--segments belong to one scene; they do not go with several");
  }
  if (options.polygonise || options.stac) {
    throw ConfigError((options.polygonise ? "--polygonise writes the polygons" : "--stac writes the description") +
                      std::string(" of one map; it does not go with several scenes"));
  }
  // Options that name further outputs of a single scene are ends of names here, to which the name of each scene is
  // added.
  auto ends = mapped<std::pair<std::string, std::string>>(
      options.layers, [](const auto& layer) { return std::pair(map_layer(layer.first).option, layer.second); });
  if (options.report) {
    ends.emplace_back("report", *options.report);
  }
  for (const auto& [option, end] : ends) {
    if (!options.output_folder) {
      throw ConfigError("--" + option + " of several scenes needs --output-dir, the folder that they are written to");
    }
    if (fs::path(end).has_parent_path()) {
      throw ConfigError("--" + option + " is '" + end +
                        "'; with several scenes it is the end of a name in --output-dir, without a folder");
    }
  }
}

// What each scene is read with, beside its name.
std::vector<SceneInput> scene_inputs(const ClassifyOptions& options) {
  std::vector<SceneInput> scenes;
  for (const std::string& path : options.scenes) {
    scenes.push_back(options.scene);
    scenes.back().path = path;
  }
  if (options.scene_table) {
    for (const SceneListEntry& entry : read_scene_list(*options.scene_table)) {
      scenes.push_back(options.scene);
      scenes.back().path = entry.scene;
      if (entry.mask) {
        scenes.back().mask = entry.mask;
      }
    }
  }
  return scenes;
}

// The options of every scene, with the names of its outputs.
class SceneJobs {
 public:
  // `scratch` is the folder of what only the mosaic needs; empty without one.
  SceneJobs(const ClassifyOptions& options, const std::vector<SceneInput>& scenes, const std::string& scratch)
      : options_(options), scenes_(scenes), scratch_(scratch), names_(scene_names(scenes)) {}

  [[nodiscard]] const std::vector<SceneInput>& scenes() const { return scenes_; }

  [[nodiscard]] MapOptions job(std::size_t i) const {
    MapOptions job = static_cast<const MapOptions&>(options_);
    job.scene = scenes_[i];
    job.map = map(i);
    for (auto& [layer, end] : job.layers) {
      end = in_folder(i, end);
    }
    if (job.report) {
      job.report = in_folder(i, *job.report);
    }
    if (!scratch_.empty()) {
      job.layers[MapLayer::confidence] = confidence(i);
    }
    return job;
  }
  [[nodiscard]] std::string map(std::size_t i) const {
    return options_.output_folder ? in_folder(i, "map" + usual_extension(options_.format)) : in_scratch(i, "map.tif");
  }
  // What a shard knows its maps by.
  [[nodiscard]] std::string record(std::size_t i) const { return in_folder(i, "record.json"); }
  [[nodiscard]] std::string confidence(std::size_t i) const {
    const auto asked = options_.layers.find(MapLayer::confidence);
    return asked == options_.layers.end() ? in_scratch(i, "confidence.tif") : in_folder(i, asked->second);
  }
  // The record without files that go with the scratch folder.
  [[nodiscard]] MappingRecord with_scene_names(MappingRecord record) const {
    if (!options_.output_folder) {
      record.map.clear();
    }
    for (LayerFile& layer : record.layers) {
      if (layer.file && !scratch_.empty() && layer.file->starts_with(scratch_)) {
        layer.file.reset();
      }
    }
    return record;
  }

 private:
  [[nodiscard]] std::string in_folder(std::size_t i, const std::string& end) const {
    return fs::path(*options_.output_folder) / (names_[i] + "_" + end);
  }
  [[nodiscard]] std::string in_scratch(std::size_t i, const std::string& end) const {
    return fs::path(scratch_) / (names_[i] + "_" + end);
  }

  const ClassifyOptions& options_;
  const std::vector<SceneInput>& scenes_;
  std::string scratch_;
  std::vector<std::string> names_;
};

std::vector<SceneOutcome> map_each(const ClassifyOptions& options, const SceneJobs& jobs, Listener& listener) {
  const auto all = static_cast<Index>(jobs.scenes().size());
  // A shard maps a contiguous share of the list; all shards together map each scene once.
  const ItemRange share = options.shard ? share_of(*options.shard, all) : ItemRange{0, all};
  if (options.shard) {
    listener.message("shard " + to_string(*options.shard) + ": " + std::to_string(share.size()) + " of " +
                     std::to_string(all) + " scenes" +
                     (share.size() > 0 ? ", from number " + std::to_string(share.first + 1) : ""));
  }
  std::vector<PlannedPhase> stages = mapping_stages(options, share.size());
  stages.push_back({"mosaic", options.mosaic ? static_cast<double>(share.size()) : 0});
  listener.plan(stages);
  const Progress progress = listener.progress("scenes");
  // A scene that fails is reported and the others are mapped nevertheless: one damaged file must not stop a long
  // series. Only the three errors of the program are caught; anything else stops the command.
  std::vector<SceneOutcome> outcomes;
  for (auto i = static_cast<std::size_t>(share.first); i < static_cast<std::size_t>(share.last); ++i) {
    SceneOutcome outcome{jobs.scenes()[i].path, {}, {}};
    listener.message("scene " + std::to_string(i + 1) + " of " + std::to_string(jobs.scenes().size()) + ": " +
                     outcome.scene);
    outcome.failure = failure_of([&] {
      outcome.record = jobs.with_scene_names(options.shard ? map_once(jobs.job(i), jobs.record(i), listener)
                                                           : map_scene(jobs.job(i), listener));
    });
    if (!outcome.failure.empty()) {
      listener.warn("scene-failed", outcome.failure);
    }
    outcomes.push_back(std::move(outcome));
    // Stops here where the user has interrupted the program, which a scene takes for a failure of its own.
    report_done(progress, outcomes.size(), share.size());
  }
  return outcomes;
}

// The outputs that belong to all scenes.
struct SharedOutputs {
  SharedOutputs(OutputSet& set, const ClassifyOptions& options, const std::vector<SceneInput>& scenes) {
    if (options.output_folder) {
      if (options.shard) {
        // Other shards count on it from now on: it must stay even if nothing is put in it here.
        std::error_code failure;  // reported by make_folder()
        fs::create_directory(*options.output_folder, failure);
      }
      set.make_folder(*options.output_folder);
    }
    // Maps of an earlier run may be there: each scene decides on its own whether they are replaced.
    OutputSet all(true);
    add_inputs_of(all, options);
    for (const SceneInput& scene : scenes) {
      all.add_input("--scene", scene.path);
      if (scene.mask) {
        all.add_input("--mask", *scene.mask);
      }
      // All files of the scene and of its mask. One that cannot be opened fails when its turn comes.
      failure_of([&] { add_inputs(all, open_input_scene(scene)); });
    }
    if (options.output_folder) {
      stage_scenes(all, options, SceneJobs(options, scenes, {}));
    }
    if (options.mosaic) {
      stage_mosaic(all, options);
      mosaic = &stage_mosaic(set, options);
      scratch = set.scratch_folder(*mosaic);
    }
  }

  // No output of a scene may replace an input of another one, nor an output of the same command. Nothing is written by
  // this set: each scene has one of its own.
  static void stage_scenes(OutputSet& all, const ClassifyOptions& options, const SceneJobs& jobs) {
    for (std::size_t i = 0; i < jobs.scenes().size(); ++i) {
      const MapOptions job = jobs.job(i);
      stage_raster(all, "a map of --output-dir", job.map, options.format);
      for (const auto& [layer, path] : job.layers) {
        stage_raster(all, "--" + map_layer(layer).option, path, options.format);
      }
      if (job.report) {
        stage_page(all, "--report", *job.report);
      }
    }
  }

  static const StagedOutput& stage_mosaic(OutputSet& outputs, const ClassifyOptions& options) {
    return is_virtual_mosaic(*options.mosaic) ? stage_virtual_mosaic(outputs, "--mosaic", *options.mosaic)
                                              : stage_raster(outputs, "--mosaic", *options.mosaic, options.format);
  }

  const StagedOutput* mosaic = nullptr;
  std::string scratch;
};

// Takes a map that nobody wants: a mosaic that is only to be counted.
class CountingSink final : public ClassMapSink {
 public:
  void write(const Window& /*window*/, const std::vector<std::uint16_t>& /*codes*/) override {}
  void close() override {}
};

MosaicRecord write_mosaic(const ClassifyOptions& options, const SceneJobs& jobs,
                          const std::vector<SceneOutcome>& outcomes, const ClassTable& classes,
                          const StagedOutput& output, Listener& listener) {
  std::vector<std::string> maps;
  std::vector<std::string> confidences;
  std::vector<std::string> scenes;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].record) {
      scenes.push_back(jobs.scenes()[i].path);
      maps.push_back(jobs.map(i));
      confidences.push_back(jobs.confidence(i));
    }
  }
  // Every map is placed on the common grid by a window. A map of which no pixel lies in the mosaic is kept in the list
  // with an empty window. Files are opened by the functions of the parts when their turn comes, so that the number of
  // open files does not grow with the number of scenes.
  const MosaicGrid target = mosaic_grid(maps, options.like);
  if (std::ranges::all_of(target.windows, [](const Window& window) { return window.pixels() == 0; })) {
    throw DataError(*options.mosaic + ": no scene has a pixel on the grid of " + options.like.value_or(maps.front()));
  }
  std::vector<MosaicPart> parts;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (target.windows[i].pixels() == 0) {
      listener.warn("map-outside-mosaic", scenes[i] + " lies outside of the mosaic");
    }
    parts.push_back(
        {target.windows[i], [&, i] {
           return MosaicLayers{open_on_grid(maps[i], target.grid), open_on_grid(confidences[i], target.grid)};
         }});
  }
  const Progress progress = listener.progress("mosaic");
  MosaicSummary summary;
  // A VRT shows one of its sources for each pixel and cannot compare confidences. The maps are therefore counted first
  // without writing anything, and a VRT is refused if several of them have a class at the same pixel.
  if (is_virtual_mosaic(*options.mosaic)) {
    CountingSink nowhere;
    summary = mosaic_maps(target.grid, parts, nowhere, progress);
    if (summary.contested > 0) {
      throw ConfigError(*options.mosaic + " is a VRT, which cannot choose the most confident of several maps; but " +
                        std::to_string(summary.contested) + " pixels have a class in several: name a GeoTIFF (.tif)");
    }
    write_virtual_mosaic(output, maps, target.grid, classes);
  } else {
    const std::unique_ptr<ClassMapSink> sink = create_class_map(
        output, target.grid, classes,
        with_origin(options.format, *options.mosaic, options.model, sha256_of_file(options.model), ""));
    summary = mosaic_maps(target.grid, parts, *sink, progress);
    sink->close();
  }
  MosaicRecord record;
  record.path = *options.mosaic;
  record.scenes = std::ranges::count_if(summary.part_pixels, [](std::int64_t pixels) { return pixels > 0; });
  record.pixels = target.grid.pixels();
  record.classified = summary.classified;
  record.contested = summary.contested;
  for (const ClassEntry& entry : classes) {
    record.classes.push_back({entry.code, entry.name, summary.code_pixels[static_cast<std::size_t>(entry.code)]});
  }
  return record;
}

}  // namespace

std::vector<std::string> scene_names(const std::vector<SceneInput>& scenes) {
  // The names of the outputs begin with the stem of the scene's file. Where several scenes have the same stem, the name
  // of the folder is put before it; names that are still equal are refused.
  std::map<std::string, int> uses;
  for (const SceneInput& scene : scenes) {
    ++uses[short_name(scene.path)];
  }
  std::vector<std::string> names;
  for (const SceneInput& scene : scenes) {
    const std::string name = short_name(scene.path);
    names.push_back(uses[name] == 1 ? name : long_name(scene.path));
    const auto same = std::find(names.begin(), names.end() - 1, names.back());
    if (same != names.end() - 1) {
      throw ConfigError("the scenes '" + scenes[static_cast<std::size_t>(same - names.begin())].path + "' and '" +
                        scene.path + "' would both have maps called '" + names.back() +
                        "'; classify one of them apart");
    }
  }
  return names;
}

bool has_several_scenes(const ClassifyOptions& options) { return !options.scenes.empty() || options.scene_table; }

void check_scenes(const ClassifyOptions& options) {
  const bool several = has_several_scenes(options);
  if (several && !options.scene.path.empty()) {
    throw ConfigError("SCENE and MAP do not go with --scene and --scenes: maps of several scenes go to --output-dir");
  }
  for (const auto& [option, value] : {std::pair("output-dir", &options.output_folder),
                                      std::pair("mosaic", &options.mosaic), std::pair("like", &options.like)}) {
    if (!several && value->has_value()) {
      throw ConfigError(std::string("--") + option +
                        " belongs to several scenes (--scene, --scenes), of which there are none");
    }
  }
}

ScenesRecord map_scenes(const ClassifyOptions& options, Listener& listener) {
  check_scenes(options);
  check_options(options);
  Job job(options, listener);
  const std::vector<SceneInput> scenes = scene_inputs(options);
  ClassTable classes = load_or_explain(options.model).classes;
  apply_colours(read_colour_rules(options.colours, listener), classes, listener);
  // Each scene is mapped by map_scene() with options of its own and published at once, so that maps that are finished
  // stay when a later scene fails. Only the mosaic is an output of the complete command, made from the maps on the
  // disk. Without --output-dir the maps are in a scratch folder beside the mosaic, which is removed at the end.
  const SharedOutputs outputs(job.outputs(), options, scenes);
  const SceneJobs jobs(options, scenes, outputs.scratch);
  ScenesRecord record;
  record.model = options.model;
  record.scenes = map_each(options, jobs, listener);
  const bool any =
      std::ranges::any_of(record.scenes, [](const SceneOutcome& outcome) { return outcome.record.has_value(); });
  if (outputs.mosaic != nullptr && any) {
    record.mosaic = write_mosaic(options, jobs, record.scenes, classes, *outputs.mosaic, listener);
    job.publish();
  }
  record.seconds = job.seconds();
  return record;
}

}  // namespace parsimap
