#include <filesystem>
#include <system_error>

#include "parsimap/app/merge_experiment.hpp"
#include "parsimap/app/merge_map.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/report/experiment_report.hpp"
#include "parsimap/report/mapping_report.hpp"

#include "commands.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

CommandSyntax merge_syntax() {
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
                     .file = {{FileContent::raster}, true}}},
      .options = {{.name = "vrt",
                   .help = "Name the parts in a VRT, called like MAP with the extension .vrt, instead of copying "
                           "them; likewise for the layers. The parts stay",
                   .basic = true},
                  {.name = "keep-parts", .help = "Leave the parts when the map is done"}}};
}

void merge_experiment_folder(const OptionValues& values, CommandListener& listener) {
  for (const char* option : {"vrt", "keep-parts"}) {
    if (values.flag(option)) {
      throw ConfigError(std::string("--") + option + " belongs to maps, and '" + values.argument("MAP") +
                        "' is a folder");
    }
  }
  const ExperimentResult result = merge_experiment(
      {.folder = values.argument("MAP"), .overwrite = values.flag("overwrite"), .option_files = option_files(values)},
      listener);
  listener.result(listener.json() ? result.json : experiment_text(result.record) + "\nReport: " + result.report + "\n");
}

void merge_parts_of_map(const OptionValues& values, CommandListener& listener) {
  MergeOptions options;
  options.map = values.argument("MAP");
  options.virtual_mosaic = values.flag("vrt");
  options.keep_parts = values.flag("keep-parts");
  options.overwrite = values.flag("overwrite");
  options.option_files = option_files(values);
  const MappingRecord record = merge_map(options, listener);
  listener.result(listener.json() ? mapping_json(record) : mapping_text(record));
}

void run_merge(const OptionValues& values, CommandListener& listener) {
  std::error_code failure;
  const bool folder = std::filesystem::is_directory(values.argument("MAP"), failure);
  folder ? merge_experiment_folder(values, listener) : merge_parts_of_map(values, listener);
}

}  // namespace

Command merge_command() { return {merge_syntax(), run_merge}; }

}  // namespace parsimap
