#include <string>
#include <vector>

#include "parsimap/app/suggest.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/io/json/label_places_record.hpp"

#include "commands.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

double parse_distance(const std::string& text) {
  const auto value = parse_number<double>(text);
  if (!value || !(*value >= 0)) {
    throw ConfigError("'" + text + "' is no distance; it is a number of 0 or more");
  }
  return *value;
}

CommandSyntax suggest_syntax() {
  return {.name = "suggest",
          .summary = "Find the places that are worth labelling next",
          .details =
              "Writes the places of a scene whose labels would teach the model most, as points: undecided between\n"
              "classes or unlike all that is labelled, many pixels like them, and unlike each other. Fill in their\n"
              "field 'label' and train again with the file among the labels.",
          .arguments = {{.name = "SCENE",
                         .help = "Product of EnMAP, DESIS, PRISMA or EMIT, raster that GDAL opens, or MATLAB file, "
                                 "with the bands that the model uses",
                         .file = {{FileContent::raster}}},
                        {.name = "MODEL",
                         .help = "Model file of 'parsimap train', trained on what is labelled so far",
                         .file = {{FileContent::document}, false, {".parsimap"}}},
                        {.name = "PLACES",
                         .help = "GeoPackage of points to write (.gpkg), with a style for QGIS",
                         .file = {{FileContent::vector}, true, {".gpkg"}}}},
          .options = {{.name = "count",
                       .kind = OptionKind::integer,
                       .value_name = "N",
                       .help = "How many places",
                       .default_value = "20",
                       .least = 1,
                       .most = 10000,
                       .basic = true},
                      {.name = "exclude",
                       .kind = OptionKind::list,
                       .value_name = "FILE",
                       .help = "What is labelled already and not to be suggested: raster on the scene's grid (0 = "
                               "unlabelled) or vector file",
                       .file = {{FileContent::raster, FileContent::vector}},
                       .basic = true},
                      {.name = "distance",
                       .kind = OptionKind::text,
                       .value_name = "METRES",
                       .help = "Least distance between two places in metres, or in pixels where the scene has no CRS; "
                               "unset: half of that of as many places spread evenly over the scene",
                       .check = [](const std::string& text) { parse_distance(text); },
                       .basic = true},
                      resample_option(),
                      mask_option(),
                      quality_option(),
                      orthorectify_option(),
                      variable_option(),
                      ram_option("Memory for windows of the scene and GDAL's cache, in megabytes; unset: 512")}};
}

void run_suggest(const OptionValues& values, CommandListener& listener) {
  SuggestOptions options;
  options.scene = scene_input(values);
  options.model = values.argument("MODEL");
  options.resample = values.flag("resample");
  options.exclude = values.list("exclude");
  options.count = values.integer("count").value();
  if (const auto distance = values.text("distance")) {
    options.distance = parse_distance(*distance);
  }
  options.ram_bytes = share_memory(values);
  options.threads = thread_count(values);
  options.places = values.argument("PLACES");
  options.overwrite = values.flag("overwrite");
  options.option_files = option_files(values);
  const LabelPlacesRecord record = suggest_places(options, listener);
  listener.result(listener.json() ? label_places_json(record) : label_places_text(record));
}

}  // namespace

Command suggest_command() { return {suggest_syntax(), run_suggest}; }

}  // namespace parsimap
