#include "parsimap/app/inspect.hpp"
#include "parsimap/io/json/inspection_record.hpp"
#include "parsimap/report/inspection_report.hpp"

#include "commands.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

std::vector<OptionSyntax> inspect_option_syntax() {
  constexpr std::int64_t kMostRepeats = 100;
  return {{.name = "labels",
           .kind = OptionKind::list,
           .value_name = "FILE",
           .help = "A further file of labels, but no raster, read like LABELS",
           .label = "Further labels",
           .file = {{FileContent::vector}}},
          {.name = "group-field",
           .kind = OptionKind::text,
           .value_name = "NAME",
           .help = "Field of vector labels, such as a plot: features of equal value are left out together",
           .names_field = true},
          {.name = "suspects",
           .kind = OptionKind::text,
           .value_name = "FILE",
           .help = "Also write the regions and their pixels with label, most likely class, margin and rank (.gpkg), "
                   "with a style for QGIS",
           .label = "Suspicious regions and pixels",
           .file = {{FileContent::vector}, true, {".gpkg"}},
           .basic = true},
          {.name = "top",
           .kind = OptionKind::integer,
           .value_name = "N",
           .help = "How many of the most suspicious regions to print",
           .default_value = "20"},
          {.name = "repeats",
           .kind = OptionKind::integer,
           .value_name = "N",
           .help = "How often the regions are shared out to folds; more makes the ranks steadier, and takes longer",
           .default_value = "4",
           .least = 1,
           .most = kMostRepeats},
          {.name = "wavelengths",
           .help = "Also judge which wavelengths matter, for every class, and how far the classes lie apart",
           .basic = true},
          {.name = "seed",
           .kind = OptionKind::integer,
           .value_name = "N",
           .help = "Seed of the folds",
           .default_value = "0"},
          ram_option("Memory for reading, in megabytes; unset: 512"),
          resample_option(),
          variable_option(),
          mask_option(),
          quality_option(),
          orthorectify_option(),
          report_option()};
}

CommandSyntax inspect_syntax() {
  return {
      .name = "inspect",
      .summary = "Find suspicious labels, and the wavelengths that matter",
      .details =
          "Judges every labelled region by machines of the model's kind that are trained without it, and lists the\n"
          "regions from the one whose label has most against it. LABELS are mostly those that the model was trained\n"
          "on. Nothing is deleted: whether a label is wrong is for you to say.",
      .arguments = {{.name = "MODEL",
                     .help = "Model file of 'parsimap train'",
                     .file = {{FileContent::document}, false, {".parsimap"}}},
                    {.name = "SCENE",
                     .help = "Product of EnMAP, DESIS, PRISMA or EMIT, raster that GDAL opens (for ENVI the data file "
                             "or its .hdr), or MATLAB file",
                     .file = {{FileContent::raster}}},
                    {.name = "LABELS",
                     .help = "Class raster (0 = unlabelled) or MATLAB file, vector file or table of points with "
                             "--class-field, or regions of interest of ENVI (.xml, .txt)",
                     .file = {{FileContent::raster, FileContent::vector}}}},
      .options = joined(label_option_syntax(), inspect_option_syntax()),
  };
}

InspectOptions inspect_options(const OptionValues& values, CommandListener& listener) {
  InspectOptions options;
  options.model = values.argument("MODEL");
  options.resample = values.flag("resample");
  options.scene = scene_input(values);
  std::vector<std::string> labels = values.list("labels");
  labels.insert(labels.begin(), values.argument("LABELS"));
  options.labels = label_input(values, labels, [&](const std::string& text) { listener.warning(text); });
  options.labels.options.group_field = values.text("group-field");
  options.repeats = *values.integer("repeats");
  options.wavelengths = values.flag("wavelengths");
  options.seed = static_cast<std::uint64_t>(*values.integer("seed"));
  options.threads = thread_count(values);
  options.reading_bytes = share_memory(values);
  options.suspects = values.text("suspects");
  options.report = values.text("report");
  options.overwrite = values.flag("overwrite");
  options.option_files = option_files(values);
  options.record = values.as_text();
  return options;
}

void run_inspect(const OptionValues& values, CommandListener& listener) {
  const InspectionRecord record = inspect_scene(inspect_options(values, listener), listener);
  listener.result(listener.json() ? inspection_json(record) : inspection_text(record, *values.integer("top")));
}

}  // namespace

Command inspect_command() { return {inspect_syntax(), run_inspect}; }

}  // namespace parsimap
