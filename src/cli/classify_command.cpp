#include <algorithm>
#include <string>
#include <vector>

#include "parsimap/app/map_scenes.hpp"
#include "parsimap/app/map_shard.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/io/text/scene_list.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/scenes_report.hpp"

#include "command_options.hpp"
#include "commands.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

double parse_share(const std::string& text) {
  const auto value = parse_number<double>(text);
  if (!value || *value <= 0 || *value > 1) {
    throw ConfigError("'" + text + "' is not a number above 0 and at most 1");
  }
  return *value;
}

std::vector<OptionSyntax> reject_option_syntax() {
  return {{.name = "reject",
           .kind = OptionKind::text,
           .value_name = "P",
           .help = "Leave pixels unclassified whose largest probability is below P",
           .check = [](const std::string& text) { parse_share(text); },
           .label = "Reject below this probability",
           .basic = true},
          {.name = "reject-novelty",
           .kind = OptionKind::text,
           .value_name = "P",
           .help = "Leave pixels unclassified whose novelty is above P",
           .check = [](const std::string& text) { parse_share(text); },
           .label = "Reject above this novelty",
           .basic = true}};
}

std::optional<double> share(const OptionValues& values, const std::string& name) {
  const std::optional<std::string> text = values.text(name);
  return text ? std::optional(parse_share(*text)) : std::nullopt;
}

std::vector<OptionSyntax> layer_option_syntax() {
  std::vector<OptionSyntax> options;
  for (const MapLayerDescription& layer : map_layers()) {
    options.push_back({.name = layer.option,
                       .kind = OptionKind::text,
                       .value_name = "FILE",
                       .help = layer.help,
                       .file = {{FileContent::raster}, true}});
  }
  return options;
}

std::vector<OptionSyntax> other_option_syntax() {
  return {
      {.name = "of",
       .kind = OptionKind::text,
       .value_name = "FORMAT",
       .help = "GDAL's name of the format of all outputs, such as GTiff, COG or ENVI; unset: by extension",
       .label = "Format"},
      {.name = "co",
       .kind = OptionKind::list,
       .value_name = "KEY=VALUE",
       .help = "Creation option of the format, for all outputs; replaces the program's own choice of that option",
       .label = "Creation options"},
      report_option(),
      {.name = "regularise",
       .kind = OptionKind::text,
       .value_name = "HOW",
       .help = "Judge pixels together with their neighbours: none, auto (chosen from the scene), "
               "neighbours:SIGMA[:STRENGTH] or gaussian:SIGMA; unset: auto where the model was trained to "
               "(train --spatial), else none",
       .check = [](const std::string& text) { parse_regularisation(text); },
       .basic = true},
      {.name = "segments",
       .kind = OptionKind::text,
       .value_name = "FILE",
       .help = "Judge the pixels of a segment together, by their mean probabilities: raster of segment numbers on "
               "the scene's grid (0 = outside), or vector file of polygons; pixels outside are judged by themselves",
       .file = {{FileContent::raster, FileContent::vector}}},
      {.name = "segments-out",
       .kind = OptionKind::text,
       .value_name = "FILE",
       .help = "With --segments, also write the segments with class, confidence and number of pixels, in the "
               "format of the extension such as .gpkg",
       .label = "Classified segments",
       .file = {{FileContent::vector}, true, {".gpkg"}}},
      colour_option(),
      resample_option(),
      mask_option(),
      quality_option(),
      orthorectify_option(),
      variable_option(),
      ram_option("Memory for windows of the scene and GDAL's cache, in megabytes; unset: 512")};
}

std::vector<OptionSyntax> classify_scenes_syntax() {
  return {{.name = "scene",
           .kind = OptionKind::list,
           .value_name = "FILE",
           .help = "One of several scenes, of which each gets a map in --output-dir; SCENE and MAP are left out then",
           .label = "Several scenes",
           .file = {{FileContent::raster}}},
          {.name = "scenes",
           .kind = OptionKind::text,
           .value_name = "FILE",
           .help = "Table (.csv) of several scenes with the columns scene and, where there are masks, mask",
           .label = "Table of scenes",
           .file = {{FileContent::document}, false, {".csv"}}},
          {.name = "output-dir",
           .kind = OptionKind::text,
           .value_name = "DIR",
           .help = "Folder for the maps of several scenes, called SCENE_map.tif; files of other options are ends of "
                   "names there: --confidence confidence.tif writes SCENE_confidence.tif",
           .label = "Folder for the maps",
           .file = {{FileContent::folder}, true}},
          {.name = "mosaic",
           .kind = OptionKind::text,
           .value_name = "MAP",
           .help = "One map of several scenes, in the grid of the first or of --like; where scenes overlap, the most "
                   "confident pixel counts",
           .file = {{FileContent::raster}, true, {".tif"}}},
          {.name = "like",
           .kind = OptionKind::text,
           .value_name = "FILE",
           .help = "Raster whose extent, pixels and coordinate system --mosaic has",
           .label = "Grid of the mosaic",
           .file = {{FileContent::raster}}}};
}

OptionSyntax shard_option() {
  return {.name = "shard",
          .kind = OptionKind::text,
          .value_name = "NUMBER/COUNT",
          .help =
              "Make one of COUNT parts of the map and its layers, such as 3/64, in the folder MAP.parts; 'parsimap "
              "merge' joins them. 0/64 only plans them: what is found once, such as the regularisation. Of several "
              "scenes: map a share of them",
          .check = [](const std::string& text) { parse_shard_or_plan(text); },
          .label = "Part of the map"};
}

CommandSyntax classify_syntax() {
  return {.name = "classify",
          .summary = "Map the classes of a scene with a model",
          .details =
              "Classifies every pixel of a scene and writes a class map. Pixels without a value in a band that\n"
              "the model uses become 0. Outputs appear under their names only when all of them are complete.",
          .arguments = {{.name = "SCENE",
                         .help = "Product of EnMAP, DESIS, PRISMA or EMIT, raster that GDAL opens, or MATLAB file, "
                                 "with the bands that the model uses",
                         .file = {{FileContent::raster}},
                         .instead = {"scene", "scenes"}},
                        {.name = "MODEL",
                         .help = "Model file of 'parsimap train'",
                         .file = {{FileContent::document}, false, {".parsimap"}}},
                        {.name = "MAP",
                         .help = "Class map to write: GeoTIFF (.tif), ENVI (.img, .dat) or what --of says",
                         .file = {{FileContent::raster}, true, {".tif", ".img", ".dat"}},
                         .instead = {"scene", "scenes"}}},
          .options = joined(joined(reject_option_syntax(), layer_option_syntax()),
                            joined(classify_scenes_syntax(), joined({shard_option()}, other_option_syntax())))};
}

MapOptions mapping_options(const OptionValues& values, CommandListener& listener) {
  MapOptions options;
  options.model = values.argument("MODEL");
  options.resample = values.flag("resample");
  options.colours = colour_rules(values, listener);
  options.mapping.ram_bytes = share_memory(values);
  options.mapping.threads = thread_count(values);
  options.mapping.reject = share(values, "reject");
  options.mapping.reject_novelty = share(values, "reject-novelty");
  if (const auto regularise = values.text("regularise")) {
    options.mapping.regularisation = parse_regularisation(*regularise);
  } else {
    options.regularise_by_model = true;
  }
  for (const MapLayerDescription& layer : map_layers()) {
    if (const auto path = values.text(layer.option)) {
      options.layers[layer.layer] = *path;
    }
  }
  options.segments = values.text("segments");
  options.segments_out = values.text("segments-out");
  options.format = {values.text("of"), values.list("co")};
  options.report = values.text("report");
  options.overwrite = values.flag("overwrite");
  options.option_files = option_files(values);
  options.record = values.as_text();
  return options;
}

// What each scene is read with, beside its name.
std::vector<SceneInput> scene_inputs(const OptionValues& values) {
  std::vector<SceneInput> scenes;
  for (const std::string& path : values.list("scene")) {
    scenes.push_back(scene_input(values, path));
  }
  if (const auto list = values.text("scenes")) {
    for (const SceneListEntry& entry : read_scene_list(*list)) {
      scenes.push_back(scene_input(values, entry.scene));
      if (entry.mask) {
        scenes.back().mask = entry.mask;
      }
    }
  }
  return scenes;
}

void run_several(const OptionValues& values, CommandListener& listener) {
  MapScenesOptions options;
  options.each = mapping_options(values, listener);
  options.scenes = scene_inputs(values);
  options.output_folder = values.text("output-dir");
  options.mosaic = values.text("mosaic");
  options.like = values.text("like");
  if (const auto shard = values.text("shard")) {
    options.shard = parse_shard(*shard);
  }
  const ScenesRecord record = map_scenes(options, listener);
  listener.result(listener.json() ? scenes_json(record) : scenes_text(record));
  const auto failed = std::count_if(record.scenes.begin(), record.scenes.end(),
                                    [](const SceneOutcome& outcome) { return !outcome.record.has_value(); });
  if (failed > 0) {
    throw IoError(std::to_string(failed) + " of " + std::to_string(record.scenes.size()) +
                  " scenes could not be classified; the reasons are above");
  }
}

void run_one(const OptionValues& values, CommandListener& listener) {
  const MapOptions options = classify_options(values, listener);
  const auto shard = values.text("shard");
  const MappingRecord record =
      shard ? map_shard(options, parse_shard_or_plan(*shard), listener) : map_scene(options, listener);
  listener.result(listener.json() ? mapping_json(record) : mapping_text(record));
}

void run_classify(const OptionValues& values, CommandListener& listener) {
  const bool several = values.has("scene") || values.has("scenes");
  if (several && values.has_argument("SCENE")) {
    throw ConfigError("SCENE and MAP do not go with --scene and --scenes: maps of several scenes go to --output-dir");
  }
  for (const char* option : {"output-dir", "mosaic", "like"}) {
    if (!several && values.has(option)) {
      throw ConfigError(std::string("--") + option +
                        " belongs to several scenes (--scene, --scenes), of which there "
                        "are none");
    }
  }
  several ? run_several(values, listener) : run_one(values, listener);
}

}  // namespace

MapOptions classify_options(const OptionValues& values, CommandListener& listener) {
  MapOptions options = mapping_options(values, listener);
  options.scene = scene_input(values, values.argument("SCENE"));
  options.map = values.argument("MAP");
  return options;
}

Command classify_command() { return {classify_syntax(), run_classify}; }

}  // namespace parsimap
