#include <filesystem>
#include <system_error>

#include "parsimap/app/merge_map.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/report/mapping_report.hpp"

#include "commands.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

CommandSyntax syntax() {
  return {
      .name = "merge",
      .summary = "Join the parts of a map that several processes have made",
      .details =
          "Checks the parts of a map that 'parsimap classify' has made, and writes the map with its layers: the same\n"
          "bytes as one process would. Parts that are missing, damaged or of another job are named, and nothing is\n"
          "written then.",
      .arguments = {{.name = "MAP",
                     .help = "Map that the parts were made for; they are in the folder MAP.parts",
                     .file = {{FileContent::raster}, true}}},
      .options = {{.name = "vrt",
                   .help = "Name the parts in a VRT, called like MAP with the extension .vrt, instead of copying "
                           "them; likewise for the layers. The parts stay",
                   .basic = true},
                  {.name = "keep-parts", .help = "Leave the parts when the map is done"}}};
}

void run(const OptionValues& values, Console& console) {
  MergeOptions options;
  options.map = values.argument("MAP");
  options.virtual_mosaic = values.flag("vrt");
  options.keep_parts = values.flag("keep-parts");
  options.overwrite = values.flag("overwrite");
  options.option_files = option_files(values);
  std::error_code failure;
  if (std::filesystem::is_directory(options.map, failure)) {
    throw ConfigError("'" + options.map + "' is a folder; name the map that the parts were made for");
  }
  const MappingRecord record = merge_map(options, console);
  console.result(console.json() ? mapping_json(record) : mapping_text(record));
}

}  // namespace

Command merge_command() { return {syntax(), run}; }

}  // namespace parsimap
