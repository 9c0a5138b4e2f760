#include "parsimap/commands/command.hpp"
#include "parsimap/json/inspection_record.hpp"
#include "parsimap/report/inspection_report.hpp"

namespace parsimap {
namespace {

bool always() { return true; }

std::vector<OptionSyntax> inspect_options(InspectOptions& options) {
  constexpr std::int64_t kMostRepeats = 100;
  return {further_labels_option(options.labels, always, "A further file of labels, but no raster, read like LABELS"),
          group_field_option(options.labels,
                             "Field of vector labels, such as a plot: features of equal value are left out together"),
          {.name = "suspects",
           .value_name = "FILE",
           .help = "Also write the regions and their pixels with label, most likely class, margin and rank (.gpkg), "
                   "with a style for QGIS",
           .field = bound(options.suspects),
           .label = "Suspicious regions and pixels",
           .file = {{FileContent::vector}, true, {".gpkg"}},
           .basic = true,
           .effect = Effect::run},
          {.name = "top",
           .value_name = "N",
           .help = "How many of the most suspicious regions to print",
           .field = bound(options.top),
           .effect = Effect::run},
          {.name = "repeats",
           .value_name = "N",
           .help = "How often the regions are shared out to folds; more makes the ranks steadier, and takes longer",
           .field = bound(options.repeats),
           .least = 1,
           .most = kMostRepeats},
          {.name = "wavelengths",
           .help = "Also judge which wavelengths matter, for every class, and how far the classes lie apart",
           .field = bound(options.wavelengths),
           .basic = true},
          seed_option(options.seed, "Seed of the folds"),
          ram_option(options, "Memory for reading, in megabytes; unset: 512"),
          resample_option(options.resample)};
}

void run_inspect(const InspectOptions& options, CommandListener& listener) {
  const InspectionRecord record = inspect_scene(options, listener);
  listener.result(listener.json() ? inspection_json(record) : inspection_text(record, options.top));
}

}  // namespace

CommandSyntax describe(InspectOptions& options) {
  return {
      .name = "inspect",
      .summary = "Find suspicious labels, and the wavelengths that matter",
      .details =
          "Judges every labelled region by machines of the model's kind that are trained without it, and lists the\n"
          "regions from the one whose label has most against it. LABELS are mostly those that the model was trained\n"
          "on. Nothing is deleted: whether a label is wrong is for you to say.",
      .arguments = {model_argument(options.model), scene_argument(options.scene.path),
                    labels_argument(options.labels, always)},
      .options = joined(joined(label_options(options.labels), inspect_options(options)),
                        joined(scene_options(options.scene), {report_option(options.report)})),
  };
}

Command inspect_command() { return command_of<InspectOptions>(run_inspect); }

}  // namespace parsimap
