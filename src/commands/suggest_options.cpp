#include "parsimap/commands/command.hpp"
#include "parsimap/json/label_places_record.hpp"
#include "parsimap/report/info_report.hpp"

namespace parsimap {
namespace {

constexpr std::int64_t kMostPlaces = 10000;

std::vector<OptionSyntax> suggest_options(SuggestOptions& options) {
  return {{.name = "count",
           .value_name = "N",
           .help = "How many places",
           .field = bound(options.count),
           .least = 1,
           .most = kMostPlaces,
           .basic = true},
          {.name = "exclude",
           .value_name = "FILE",
           .help = "What is labelled already and not to be suggested: raster on the scene's grid (0 = "
                   "unlabelled) or vector file",
           .field = bound(options.exclude),
           .file = {{FileContent::raster, FileContent::vector}},
           .basic = true},
          {.name = "distance",
           .value_name = "METRES",
           .help = "Least distance between two places in metres, or in pixels where the scene has no CRS; "
                   "unset: half of that of as many places spread evenly over the scene",
           .field = bound(options.distance, kDistances),
           .basic = true},
          resample_option(options.resample)};
}

void run_suggest(const SuggestOptions& options, CommandListener& listener) {
  const LabelPlacesRecord record = suggest_places(options, listener);
  listener.result(listener.json() ? label_places_json(record) : label_places_text(record));
}

}  // namespace

CommandSyntax describe(SuggestOptions& options) {
  return {
      .name = "suggest",
      .summary = "Find the places that are worth labelling next",
      .details =
          "Writes the places of a scene whose labels would teach the model most, as points: undecided between\n"
          "classes or unlike all that is labelled, many pixels like them, and unlike each other. Fill in their\n"
          "field 'label' and train again with the file among the labels.",
      .arguments = {scene_argument(options.scene.path, "with the bands that the model uses"),
                    model_argument(options.model, "Model file of 'parsimap train', trained on what is labelled so far"),
                    {.name = "PLACES",
                     .help = "GeoPackage of points to write (.gpkg), with a style for QGIS",
                     .field = bound(options.places),
                     .file = {{FileContent::vector}, true, {".gpkg"}}}},
      .options =
          joined(joined(suggest_options(options), scene_options(options.scene)),
                 {ram_option(options, "Memory for windows of the scene and GDAL's cache, in megabytes; unset: 512")})};
}

Command suggest_command() { return command_of<SuggestOptions>(run_suggest); }

}  // namespace parsimap
