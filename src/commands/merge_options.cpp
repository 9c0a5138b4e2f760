#include <filesystem>
#include <system_error>

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/merge_experiment.hpp"
#include "parsimap/commands/merge_map.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/json/records.hpp"
#include "parsimap/report/experiment_report.hpp"
#include "parsimap/report/mapping_report.hpp"

namespace parsimap {
namespace {

void merge_experiment_folder(const MergeOptions& options, CommandListener& listener) {
  for (const auto& [option, given] : {std::pair("vrt", options.virtual_mosaic), {"keep-parts", options.keep_parts}}) {
    if (given) {
      throw ConfigError(std::string("--") + option + " belongs to maps, and '" + options.map + "' is a folder");
    }
  }
  const ExperimentResult result = merge_experiment(options, listener);
  listener.result(listener.json() ? result.json : experiment_text(result.record) + "\nReport: " + result.report + "\n");
}

void run_merge(const MergeOptions& options, CommandListener& listener) {
  std::error_code failure;
  if (std::filesystem::is_directory(options.map, failure)) {
    merge_experiment_folder(options, listener);
    return;
  }
  const MappingRecord record = merge_map(options, listener);
  listener.result(listener.json() ? mapping_json(record) : mapping_text(record));
}

}  // namespace

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
