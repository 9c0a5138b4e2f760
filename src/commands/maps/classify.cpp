#include "parsimap/commands/maps/classify.hpp"

#include <algorithm>
#include <limits>

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/maps/map_scenes.hpp"
#include "parsimap/commands/maps/map_shard.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/mapping/map_window.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/trust_section.hpp"

#include "../common_options.hpp"
#include "../job_frame.hpp"
#include "map_report.hpp"
#include "map_work.hpp"

namespace parsimap {

// A map in memory has nothing beside it.
static void refuse_files(const MapOptions& options) {
  auto given = mapped<std::string>(
      options.layers, [](const auto& layer) { return "--" + map_layer(layer.first).option + " " + layer.second; });
  for (const auto& [name, file] :
       {std::pair("--segments-out ", options.segments_out), std::pair("--polygonise ", options.polygonise),
        std::pair("--stac ", options.stac), std::pair("--report ", options.report)}) {
    if (file) {
      given.push_back(name + *file);
    }
  }
  if (!given.empty()) {
    throw ConfigError(given.front() + " is a file beside the map, which is not written to a file");
  }
}

// Outputs are checked and staged before anything is computed, so that a wrong name fails at once; the rasters are
// created later, when the classes and their colours are known.
static MapFiles staged_files(Job& job, const MapWork& work, Listener& listener) {
  const MapOptions& options = work.options;
  OutputOptions format =
      with_origin(options.format, options.map, options.model, sha256_of_file(options.model), options.scene.path);
  format.progress = writing_progress(listener);
  add_inputs(job.outputs(), work.scene);
  return {job.outputs(), options, format};
}

namespace {

// A map before its outputs are made.
struct MapStart {
  MapStart(const MapOptions& asked, Listener& listener, bool dry = false)
      : job(asked, listener, dry), work(open_work(asked, listener)), files(staged_files(job, work, listener)) {
    job.stage_page("--report", asked.report);
    prepare(work, listener);
  }

  Job job;
  MapWork work;
  MapFiles files;
};

}  // namespace

DryRunRecord preview_map(const MapOptions& asked, Listener& listener) {
  MapStart start(asked, listener, true);
  MapWork& work = start.work;
  const ClassTable& classes = work.model.classes;
  // Rasters of one pixel, in memory, show whether the formats take what is to be written.
  start.files.create(RasterGrid{1, 1, {}, {}}, classes);
  const Window window = work.scene.window();
  const auto bands = std::ssize(work.model.bands);
  const MappingOptions mapping = mapping_of(work);
  std::map<MapLayer, std::string> layers = asked.layers;
  if (asked.report) {
    layers[MapLayer::confidence];
  }
  const MappingPlan plan = plan_mapping(*work.scene.source, work.model, layers, mapping, asked.segments.has_value());
  constexpr std::int64_t kValueBytes = sizeof(float);
  DryRunRecord record = start.job.preview(asked, window.pixels() * bands * kValueBytes);
  const auto planned = [&](const std::string& role, std::int64_t pixel_bytes) {
    std::ranges::find(record.outputs, role, &PlannedFile::role)->bytes = window.pixels() * pixel_bytes;
    record.memory_bytes += plan.window_pixels * pixel_bytes;
    record.seconds += static_cast<double>(window.pixels() * pixel_bytes) * kSecondsPerWrittenByte;
  };
  planned("MAP", classes.back().code > std::numeric_limits<std::uint8_t>::max() ? 2 : 1);
  for (const auto& [layer, path] : asked.layers) {
    const MapLayerDescription& description = map_layer(layer);
    planned(std::string("--") + description.option, std::ssize(description.bands(classes)) * kValueBytes);
  }
  record.columns = window.width;
  record.rows = window.height;
  record.bands = bands;
  record.pixels = window.pixels();
  record.windows = plan.windows;
  record.window_pixels = plan.window_pixels;
  record.memory_bytes += plan.bytes + work_bytes(asked) - mapping.ram_bytes;
  record.stages = {{"read", static_cast<double>(window.pixels() * bands) * kSecondsPerReadValue},
                   {"compute", plan.operations * kSecondsPerOperation / record.threads},
                   {"write", record.seconds}};
  record.seconds += std::max(record.stages[0].second, record.stages[1].second);
  return record;
}

MappingRecord map_scene(const MapOptions& asked, Listener& listener) {
  MapStart start(asked, listener);
  auto& [job, work, files] = start;
  const MapOptions& options = work.options;
  SceneSource& scene = *work.scene.source;
  const ClassTable& classes = work.model.classes;
  // Without a region the window is the whole scene.
  const Window window = work.scene.window();
  WindowScene part(scene, window);
  MapOutputs outputs = files.create(part.grid(), classes);
  std::optional<MapReport> report;
  if (options.report) {
    report.emplace(part, outputs, options.reject_novelty.has_value(), job.date());
    outputs = report->watched();
  }
  // The page observes the windows while they are written, so that the map is not read a second time.
  const MappingSummary summary = classify(work, mapping_of(work), WindowOutputs(outputs, window).outputs(), listener);
  if (files.segments() != nullptr) {
    write_segment_outlines(*files.segments(), scene.grid(), *work.segments, classes, summary.segments);
  }
  MappingRecord record = record_of(work, summary);
  record.seconds = job.seconds();
  if (report) {
    job.write_page(report->html(record, classes, trust_section(work.model, options.scene.path), inputs_of(options),
                                settings(asked)));
  }
  job.lap();
  files.close();
  files.polygonise(options, classes);
  files.describe(part.grid(), classes, record);
  job.publish();
  // Completing and publishing the files belongs to the last stage, which is that of writing.
  record.stages.back().second += job.lap();
  record.seconds = job.seconds();
  warn_of_empty_map(record, listener);
  warn_of_missing_values(work, record, listener);
  warn_of_names(record, listener);
  return record;
}

MappingRecord map_into(const MapOptions& asked, const MakeMapOutputs& make, Listener& listener) {
  refuse_files(asked);
  const Job job(asked, listener);
  MapWork work = open_work(asked, listener);
  prepare(work, listener);
  const Window window = work.scene.window();
  const MapOutputs outputs = make(grid_of_window(work.scene.source->grid(), window), work.model.classes);
  const MappingSummary summary = classify(work, mapping_of(work), WindowOutputs(outputs, window).outputs(), listener);
  MappingRecord record = record_of(work, summary);
  record.seconds = job.seconds();
  warn_of_empty_map(record, listener);
  warn_of_missing_values(work, record, listener);
  return record;
}

static std::vector<OptionSyntax> reject_options(MapOptions& options) {
  return {{.name = "reject",
           .value_name = "P",
           .help = "Leave pixels unclassified whose largest probability is below P",
           .field = bound(options.reject, kShares),
           .label = "Reject below this probability",
           .basic = true},
          {.name = "reject-novelty",
           .value_name = "P",
           .help = "Leave pixels unclassified whose novelty is above P",
           .field = bound(options.reject_novelty, kShares),
           .label = "Reject above this novelty",
           .basic = true},
          {.name = "reject-outside",
           .value_name = "P",
           .help = "Leave pixels unclassified that are more unlike their class than P of its left-out pixels, such as "
                   "0.95: outside of the area where the model applies",
           .field = bound(options.reject_outside, kShares),
           .label = "Reject outside of the area of applicability"}};
}

// A layer that is not asked for has no entry.
static Field layer_field(std::map<MapLayer, std::string>& layers, MapLayer layer) {
  return {.kind = OptionKind::text,
          .store = [&layers, layer](const OptionValue& value) { layers[layer] = std::get<std::string>(value); },
          .value = [&layers, layer]() -> std::optional<OptionValue> {
            // The field of an option is bound to an entry of the map, which exists only for layers that are asked for.
            const auto asked = layers.find(layer);
            return asked == layers.end() ? std::nullopt : std::optional<OptionValue>(asked->second);
          }};
}

static std::vector<OptionSyntax> layer_options(MapOptions& options) {
  std::vector<OptionSyntax> all;
  for (const MapLayerDescription& layer : map_layers()) {
    all.push_back({.name = layer.option,
                   .help = layer.help,
                   .field = layer_field(options.layers, layer.layer),
                   .file = {{FileContent::raster}, true},
                   .basic = layer.layer == MapLayer::probabilities || layer.layer == MapLayer::confidence});
  }
  all.push_back({.name = "sets",
                 .value_name = "LEVEL",
                 .help = "With --sets-out, the share of pixels whose class is to be in their set; unset: 0.9",
                 .field = bound(options.set_level, kShares),
                 .label = "Level of the prediction sets"});
  return all;
}

static std::vector<OptionSyntax> format_options(MapOptions& options) {
  return {
      {.name = "of",
       .value_name = "FORMAT",
       .help = "GDAL's name of the format of all outputs, such as GTiff, COG or ENVI; unset: by extension",
       .field = bound(options.format.format),
       .label = "Format"},
      {.name = "co",
       .value_name = "KEY=VALUE",
       .help = "Creation option of the format, for all outputs; replaces the program's own choice of that option",
       .field = bound(options.format.creation_options),
       .label = "Creation options"},
      {.name = "polygonise",
       .help = "Also write the areas of the classes as polygons with class, code and pixels (.gpkg), which QGIS shows "
               "in the colours of the classes",
       .field = bound(options.polygonise),
       .label = "Polygons of the classes",
       .file = {{FileContent::vector}, true, {".gpkg"}}},
      {.name = "least-pixels",
       .help = "With --polygonise, make areas of fewer pixels part of the largest area beside them; unset: none",
       .field = bound(options.least_pixels),
       .least = 1,
       .label = "Least pixels of a polygon"},
      {.name = "stac",
       .help = "Also describe the map and its layers as an item of a SpatioTemporal Asset Catalog (STAC 1.1)",
       .field = bound(options.stac),
       .label = "STAC item",
       .file = {{FileContent::document}, true, {".json"}},
       .effect = Effect::run},
      report_option(options.report),
      dry_run_option(options)};
}

static std::vector<OptionSyntax> neighbour_options(MapOptions& options) {
  return {
      {.name = "regularise",
       .value_name = "HOW",
       .help = "Classify pixels together with their neighbours: none, auto (chosen from the scene), "
               "neighbours:SIGMA[:STRENGTH] or gaussian:SIGMA[:KEEP]; unset: auto where the model was trained to "
               "(train --spatial), else none",
       .field = bound(options.regularise, parse_regularisation),
       .choices = {"none", "auto", "neighbours:", "gaussian:"},
       .basic = true},
      {.name = "segments",
       .help = "Classify the pixels of a segment together, by their mean probabilities: raster of segment numbers on "
               "the scene's grid (0 = outside), or vector file of polygons; pixels outside are classified one by one",
       .field = bound(options.segments),
       .file = {{FileContent::raster, FileContent::vector}}},
      {.name = "segments-out",
       .help = "With --segments, also write the segments with class, confidence and number of pixels, in the "
               "format of the extension such as .gpkg",
       .field = bound(options.segments_out),
       .label = "Classified segments",
       .file = {{FileContent::vector}, true, {".gpkg"}}}};
}

static std::vector<OptionSyntax> several_scenes_options(ClassifyOptions& options) {
  return {
      {.name = "scene",
       .help = "One of several scenes, of which each gets a map in --output-dir; SCENE and MAP are left out then",
       .field = bound(options.scenes),
       .label = "Several scenes",
       .file = {{FileContent::raster}}},
      {.name = "scenes",
       .help = "Table (.csv) of several scenes with the columns scene and, where there are masks, mask",
       .field = bound(options.scene_table),
       .label = "Table of scenes",
       .file = {{FileContent::document}, false, {".csv"}}},
      {.name = "output-dir",
       .help = "Folder for the maps of several scenes, called SCENE_map.tif; files of other options are ends of "
               "names there: --confidence confidence.tif writes SCENE_confidence.tif",
       .field = bound(options.output_folder),
       .label = "Folder for the maps",
       .file = {{FileContent::folder}, true}},
      {.name = "mosaic",
       .value_name = "MAP",
       .help = "One map of several scenes, in the grid of the first or of --like; where scenes overlap, the most "
               "confident pixel counts",
       .field = bound(options.mosaic),
       .file = {{FileContent::raster}, true, {".tif"}}},
      {.name = "like",
       .help = "Raster whose extent, pixels and coordinate system --mosaic has",
       .field = bound(options.like),
       .label = "Grid of the mosaic",
       .file = {{FileContent::raster}}},
      {.name = "shard",
       .value_name = "NUMBER/COUNT",
       .help = "Make one of COUNT parts of the map and its layers, such as 3/64, in the folder MAP.parts; 'parsimap "
               "merge' joins them. 0/64 only plans them: what is found once, such as the regularisation. Of several "
               "scenes: map a share of them",
       .field = bound(options.shard, parse_shard_or_plan),
       .label = "Part of the map",
       .effect = Effect::run}};
}

// Options of one scene and of several, behind those that only several have.
static std::vector<OptionSyntax> work_options(MapOptions& options) {
  std::vector<OptionSyntax> scene = {colour_option(options.colours), resample_option(options.resample)};
  scene = joined(scene, scene_options(options.scene));
  scene.insert(scene.begin(), region_option(options.scene,
                                            "Map a part of the scene alone, of which pixels get the same "
                                            "labels as in the map of the whole; outputs cover the window "
                                            "around it"));
  scene.push_back(ram_option(options, "Memory for windows of the scene and GDAL's cache, in megabytes; unset: 512"));
  return joined(joined(grouped("Outputs", format_options(options)), grouped("Neighbours", neighbour_options(options))),
                grouped("Scene", std::move(scene)));
}

static CommandSyntax syntax_of(MapOptions& options, const std::vector<OptionSyntax>& several) {
  ArgumentSyntax scene = scene_argument(options.scene.path, "with the bands that the model uses");
  ArgumentSyntax map{.name = "MAP",
                     .help = "Class map to write: GeoTIFF (.tif), ENVI (.img, .dat) or what --of says",
                     .field = bound(options.map),
                     .file = {{FileContent::raster}, true, {".tif", ".img", ".dat"}}};
  // With several scenes the options name the inputs, and the two arguments are left out.
  scene.instead = map.instead = {"scene", "scenes"};
  return {.name = "classify",
          .summary = "Map the classes of a scene with a model",
          .details =
              "Classifies every pixel of a scene and writes a class map. Pixels without a value in a band that\n"
              "the model uses become 0. Outputs appear under their names only when all of them are complete.",
          .arguments = {scene, model_argument(options.model), map},
          .options =
              joined(joined(grouped("Rejection", reject_options(options)), grouped("Layers", layer_options(options))),
                     joined(grouped("Several scenes and parts", several), work_options(options)))};
}

static void classify_several(const ClassifyOptions& options, CommandListener& listener) {
  if (options.dry_run) {
    throw ConfigError("--dry-run looks at one scene; name it as SCENE instead of --scene or --scenes");
  }
  // The result is printed before the error, so that the user learns which scenes were mapped.
  const ScenesRecord record = map_scenes(options, listener);
  listener.result(listener.json() ? scenes_json(record) : scenes_text(record));
  const auto failed =
      std::ranges::count_if(record.scenes, [](const SceneOutcome& outcome) { return !outcome.record.has_value(); });
  if (failed > 0) {
    throw IoError(std::to_string(failed) + " of " + std::to_string(record.scenes.size()) +
                  " scenes could not be classified; the reasons are above");
  }
}

static void run_classify(const ClassifyOptions& options, CommandListener& listener) {
  check_scenes(options);
  if (has_several_scenes(options)) {
    classify_several(options, listener);
    return;
  }
  if (options.dry_run) {
    if (options.shard) {
      throw ConfigError("--dry-run looks at a whole map, and does not go with --shard");
    }
    const DryRunRecord record = preview_map(options, listener);
    listener.result(listener.json() ? dry_run_json(record) : dry_run_text(record));
    return;
  }
  listener.plan(mapping_stages(options, 1));
  const MappingRecord record =
      options.shard ? map_shard(options, *options.shard, listener) : map_scene(options, listener);
  listener.result(listener.json() ? mapping_json(record) : mapping_text(record));
}

CommandSyntax describe(MapOptions& options) { return syntax_of(options, {}); }

CommandSyntax describe(ClassifyOptions& options) { return syntax_of(options, several_scenes_options(options)); }

Command classify_command() { return command_of<ClassifyOptions>(run_classify); }

}  // namespace parsimap
