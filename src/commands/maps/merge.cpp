#include "parsimap/commands/maps/merge.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/experiments/experiment.hpp"
#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/gdal/raster/mosaic.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/report/experiment_report.hpp"
#include "parsimap/report/map_parts.hpp"
#include "parsimap/report/mapping_report.hpp"

#include "../job_frame.hpp"
#include "map_parts.hpp"
#include "map_work.hpp"

namespace parsimap {

namespace fs = std::filesystem;

// "3, 7-9".
static std::string ranges_text(const std::vector<Index>& numbers) {
  std::string text;
  // Numbers ascend; each pass takes the longest run of consecutive ones.
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) {
      ++end;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
    if (end - i > 1) {
      text += "-" + std::to_string(numbers[end - 1]);
    }
    i = end;
  }
  return text;
}

static MapPlan plan_of(const PartsFolder& folder, const std::string& map) {
  const std::optional<MapPlan> plan = folder.plan();
  if (!plan) {
    throw DataError("there are no parts of '" + map + "': '" + folder.plan_file() +
                    "' does not exist; 'parsimap classify ... " + map + " --shard NUMBER/COUNT' makes them");
  }
  if (plan->version != PARSIMAP_VERSION) {
    throw DataError("the parts of '" + map + "' were made by version " + plan->version +
                    " of parsimap, and this is version " + PARSIMAP_VERSION + "; join them with that one");
  }
  return *plan;
}

// All parts; a DataError names those that are not there.
static std::vector<MapPart> all_parts(const PartsFolder& folder, const MapPlan& plan, const std::string& map,
                                      const Progress& progress) {
  std::vector<MapPart> parts;
  std::vector<Index> missing;
  std::vector<Index> foreign;
  std::string damaged;
  // All parts are examined before anything is refused, so that one call names everything that has to be made again.
  for (Index number = 1; number <= plan.parts; ++number) {
    FoundPart found = folder.find(plan, number);
    if (found.state == PartState::missing) {
      missing.push_back(number);
    } else if (found.state == PartState::foreign) {
      foreign.push_back(number);
    } else if (found.state == PartState::damaged) {
      damaged += "; " + std::to_string(number) + " is damaged (" + found.reason + ")";
    }
    parts.push_back(std::move(found.part));
    report_done(progress, number, plan.parts);
  }
  std::string faults = missing.empty() ? "" : "; missing: " + ranges_text(missing);
  faults += (foreign.empty() ? "" : "; of another map: " + ranges_text(foreign)) + damaged;
  if (!faults.empty()) {
    throw DataError("of the " + std::to_string(plan.parts) + " parts of '" + map + "' some cannot be joined" + faults +
                    ". 'parsimap classify' with --shard NUMBER/" + std::to_string(plan.parts) + " makes them" +
                    (foreign.empty() ? "" : ", with --overwrite where they are of another map"));
  }
  return parts;
}

// The options of a map that is written as the plan says.
static MapOptions map_options(const MapPlan& plan, const MergeOptions& options) {
  MapOptions map;
  map.map = options.map;
  map.layers = layers_of(plan, options.map);
  map.format.format = plan.format;
  map.format.creation_options = plan.creation_options;
  map.overwrite = options.overwrite;
  map.options_file = options.options_file;
  return map;
}

// Calls use(window, values) for the windows of one raster of a part, which are as large as a tile of it and few columns
// of them: a row of tiles of a wide scene might not fit into memory.
template <typename Use>
static void for_windows_of(const std::string& path, const Use& use) {
  constexpr Index kRows = 256;
  constexpr Index kColumns = 2048;
  const OpenScene raster = open_scene(path);
  const Indices bands = consecutive(static_cast<Index>(raster.source->bands().size()));
  const RasterGrid& grid = raster.source->grid();
  Spectra values;
  for (const Window& window : tiles_of({0, 0, grid.width, grid.height}, kColumns, kRows)) {
    if (!raster.source->known_empty(window)) {
      raster.source->read(window, bands, values);
      use(window, values);
    }
  }
}

static void copy_part(const PartsFolder& folder, const MapPart& part, const MapOutputs& outputs) {
  // Windows of a part begin at row 0; in the map they lie below the rows of the parts before.
  const auto in_map = [&](const Window& window) {
    return Window{window.column, window.row + part.rows.first, window.width, window.height};
  };
  std::vector<std::uint16_t> codes;
  for_windows_of(folder.raster(part.shard.number, "map"), [&](const Window& window, const Spectra& values) {
    // Rasters are read as single-precision values with NaN for nodata. Codes up to 65 535 are exact in single
    // precision, and NaN is the code 0 again.
    codes.resize(static_cast<std::size_t>(window.pixels()));
    std::transform(values.data(), values.data() + values.size(), codes.begin(), [](float value) {
      return std::isnan(value) ? std::uint16_t{0} : static_cast<std::uint16_t>(value);
    });
    outputs.map->write(in_map(window), codes);
  });
  for (const auto& [layer, sink] : outputs.layers) {
    FieldSink& target = *sink;
    for_windows_of(folder.raster(part.shard.number, map_layer(layer).option),
                   [&](const Window& window, const Spectra& values) { target.write(in_map(window), values); });
  }
}

static std::string virtual_name(const std::string& raster) { return fs::path(raster).replace_extension("vrt"); }

// A VRT of an earlier merge --vrt consists of the parts, and would be empty without them.
static void refuse_to_remove_shown_parts(const PartsFolder& folder, const MapOptions& options) {
  std::vector<std::string> rasters = {options.map};
  add_all(rasters, mapped<std::string>(options.layers, &std::pair<const MapLayer, std::string>::second));
  const std::string name = fs::path(folder.path()).filename();
  for (const std::string& raster : rasters) {
    const std::string shown = virtual_name(raster);
    if (fs::is_regular_file(shown) && read_text_file(shown).find(name) != std::string::npos) {
      throw ConfigError("'" + shown + "' shows the parts in '" + folder.path() +
                        "', which would be removed; use --keep-parts, or remove the VRT before");
    }
  }
}

static void copy_parts(Job& job, const PartsFolder& folder, const MapPlan& plan, const std::vector<MapPart>& parts,
                       const MapOptions& options, Listener& listener) {
  const auto digest = std::ranges::find(plan.facts, kModelDigestFact, &std::pair<std::string, std::string>::first);
  OutputOptions format = with_origin(options.format, options.map, plan.model,
                                     digest == plan.facts.end() ? "" : digest->second, plan.scene);
  format.progress = writing_progress(listener);
  MapFiles files(job.outputs(), options, format);
  const MapOutputs outputs = files.create(plan.grid, plan.classes);
  const Progress progress = listener.progress("joining");
  for (const MapPart& part : parts) {
    if (part.rows.size() > 0) {
      copy_part(folder, part, outputs);
    }
    report_done(progress, part.rows.last, plan.grid.height);
  }
  files.close();
  job.publish();
}

// Writes VRTs that refer to the parts, and puts their names into the record.
static void name_parts(Job& job, const PartsFolder& folder, const MapPlan& plan, const std::vector<MapPart>& parts,
                       const MapOptions& options, MappingRecord& record) {
  const auto with_rows = filtered(parts, [](const MapPart& part) { return part.rows.size() > 0; });
  const auto rows_of = [&](const std::string& what) {
    return mapped<RowsOfRaster>(with_rows, [&](const MapPart& part) {
      return RowsOfRaster{folder.raster(part.shard.number, what), part.rows};
    });
  };
  // A VRT is a small document that refers to the files of the parts; it must not replace a raster by the name of the
  // map.
  record.map = virtual_name(options.map);
  write_stacked_map(stage_virtual_mosaic(job.outputs(), "MAP", record.map), rows_of("map"), plan.grid, plan.classes);
  std::map<MapLayer, std::string> layers = options.layers;
  for (auto& [layer, file] : layers) {
    const MapLayerDescription& description = map_layer(layer);
    file = virtual_name(file);
    write_stacked_field(stage_virtual_mosaic(job.outputs(), "--" + description.option, file),
                        rows_of(description.option), plan.grid, description.bands(plan.classes));
  }
  record.layers = layer_files(layers);
  job.publish();
}

MappingRecord merge_map(const MergeOptions& options, Listener& listener) {
  Job job(options, listener);
  const PartsFolder folder(options.map);
  // The map is written by the sinks that a single process uses, with the grid, classes and options of the plan, from
  // parts whose checksums were compared: its bytes do not depend on the number of parts.
  const MapPlan plan = plan_of(folder, options.map);
  listener.plan({{"checking", 1}, {"joining", 3}, {"writing", 1}});
  const std::vector<MapPart> parts = all_parts(folder, plan, options.map, listener.progress("checking"));
  const MapOptions map = map_options(plan, options);
  MappingRecord record = record_of_parts(plan, options.map, parts);
  add_choice(plan, record);
  if (options.virtual_mosaic) {
    name_parts(job, folder, plan, parts, map, record);
  } else {
    if (!options.keep_parts) {
      refuse_to_remove_shown_parts(folder, map);
    }
    copy_parts(job, folder, plan, parts, map, listener);
    if (!options.keep_parts && !folder.remove()) {
      listener.warn("parts-left",
                    "'" + folder.path() + "' cannot be removed, or holds files that are not parts; the map is done");
    }
  }
  // Times of the parts are added, although they may have run at the same time: the sum is the computing time of the
  // map.
  record.stages.emplace_back("merge", job.seconds());
  record.seconds += job.seconds();
  record.peak_memory_bytes = std::max(record.peak_memory_bytes, std::optional(peak_memory_bytes()));
  warn_of_empty_map(record, listener);
  warn_of_names(record, listener);
  return record;
}

static void merge_experiment_folder(const MergeOptions& options, CommandListener& listener) {
  for (const auto& [option, given] : {std::pair("vrt", options.virtual_mosaic), {"keep-parts", options.keep_parts}}) {
    if (given) {
      throw ConfigError(std::string("--") + option + " belongs to maps, and '" + options.map + "' is a folder");
    }
  }
  const ExperimentResult result = merge_experiment(options, listener);
  listener.result(listener.json() ? result.json : experiment_text(result.record) + "\nReport: " + result.report + "\n");
}

static void run_merge(const MergeOptions& options, CommandListener& listener) {
  if (is_directory(options.map)) {
    merge_experiment_folder(options, listener);
    return;
  }
  const MappingRecord record = merge_map(options, listener);
  listener.result(listener.json() ? mapping_json(record) : mapping_text(record));
}

CommandSyntax describe(MergeOptions& options) {
  return {
      .name = "merge",
      .summary = "Join the parts of a map or an experiment that several processes have made",
      .details =
          "Checks the parts of a map that 'parsimap classify' has made, and writes the map with its layers: the same\n"
          "bytes as one process would. Parts that are missing, damaged or of another job are named, and nothing is\n"
          "written then. Of the output folder of an experiment it joins the journals of all parts, and writes\n"
          "results.json, results.csv and report.html.",
      .arguments = {{.name = "MAP",
                     .help = "Map that the parts were made for; they are in the folder MAP.parts. Or the output folder "
                             "of an experiment",
                     .field = bound(options.map),
                     .file = {{FileContent::raster}, true}}},
      .options = {
          {.name = "vrt",
           .help = "Name the parts in a VRT, called like MAP with the extension .vrt, instead of copying "
                   "them; likewise for the layers. The parts stay",
           .field = bound(options.virtual_mosaic),
           .basic = true},
          {.name = "keep-parts", .help = "Leave the parts when the map is done", .field = bound(options.keep_parts)}}};
}

Command merge_command() { return command_of<MergeOptions>(run_merge); }

}  // namespace parsimap
