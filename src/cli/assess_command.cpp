#include "parsimap/app/assess.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/io/json/accuracy_record.hpp"
#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/csv.hpp"

#include "commands.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

std::vector<OptionSyntax> assess_option_syntax() {
  return {
      {.name = "sampling-design",
       .kind = OptionKind::text,
       .value_name = "DESIGN",
       .help = "The reference pixels are a random sample of the map, 'simple' or 'stratified': estimate areas",
       .choices = {"simple", "stratified"}},
      {.name = "strata",
       .kind = OptionKind::text,
       .value_name = "FILE",
       .help =
           "Class raster of the strata that a stratified sample was drawn from, where they are not the map's classes",
       .file = {{FileContent::raster}}},
      {.name = "compare",
       .kind = OptionKind::text,
       .value_name = "MAP",
       .help = "Second map to hold against the same reference: McNemar's test and the interval of the difference",
       .label = "Second map",
       .file = {{FileContent::raster}}},
      {.name = "predictions",
       .kind = OptionKind::text,
       .value_name = "FILE",
       .help = "Also write every reference pixel with its reference and its label (.csv, .gpkg)",
       .file = {{FileContent::vector}, true, {".gpkg", ".csv"}}},
      {.name = "probabilities",
       .kind = OptionKind::text,
       .value_name = "FILE",
       .help = "Raster of 'parsimap classify --probabilities' for the predictions, and for the report to show how "
               "often they are right",
       .file = {{FileContent::raster}}},
      {.name = "output-dir",
       .kind = OptionKind::text,
       .value_name = "DIR",
       .help = "Folder, made when its parent exists, to write confusion.csv, accuracy.txt and accuracy.json to, and "
               "areas.csv and comparison.csv where there are any",
       .label = "Folder of tables",
       .file = {{FileContent::folder}, true}},
      report_option()};
}

CommandSyntax assess_syntax() {
  return {
      .name = "assess",
      .summary = "Compare a class map with reference labels",
      .details =
          "Counts how often map and reference agree and derives the usual measures of accuracy. Rows are\n"
          "reference, columns are map. Classes are matched by name where both have names, else by code.\n"
          "Reference pixels that the map leaves unclassified are counted apart. Measures have intervals of 95 %,\n"
          "which take the features of a vector file, and the parts of its features, as wholes.\n"
          "Areas are estimated only where --sampling-design says that the reference is a probability sample of\n"
          "the map (Olofsson et al. 2014; Stehman 2014 with --strata).",
      .arguments =
          {{.name = "MAP", .help = "Class map, such as one of 'parsimap classify'", .file = {{FileContent::raster}}},
           {.name = "REFERENCE",
            .help =
                "Class raster (0 = unlabelled) or MATLAB file, vector file or table of points with --class-field, or "
                "regions of interest of ENVI (.xml, .txt)",
            .file = {{FileContent::raster, FileContent::vector}}}},
      .options = joined(label_option_syntax(), assess_option_syntax()),
  };
}

std::optional<SamplingDesign> sampling_design(const OptionValues& values) {
  const auto name = values.text("sampling-design");
  if (!name) {
    return std::nullopt;
  }
  return *name == "simple" ? SamplingDesign::simple : SamplingDesign::stratified;
}

AssessOptions assess_options(const OptionValues& values, CommandListener& listener) {
  AssessOptions options;
  options.map = values.argument("MAP");
  options.reference =
      label_input(values, {values.argument("REFERENCE")}, [&](const std::string& text) { listener.message(text); });
  options.design = sampling_design(values);
  options.strata = values.text("strata");
  options.compared_map = values.text("compare");
  options.probabilities = values.text("probabilities");
  options.predictions = values.text("predictions");
  options.output_folder = values.text("output-dir");
  options.report = values.text("report");
  options.overwrite = values.flag("overwrite");
  options.option_files = option_files(values);
  options.record = values.as_text();
  if (options.probabilities && !options.predictions && !options.report) {
    throw ConfigError("--probabilities only goes with --predictions or --report");
  }
  return options;
}

void run_assess(const OptionValues& values, CommandListener& listener) {
  const AssessResult result = assess_map(assess_options(values, listener), listener);
  listener.result(listener.json() ? accuracy_json(result.assessment, result.files, result.seconds)
                                  : accuracy_text(result.assessment));
}

}  // namespace

Command assess_command() { return {assess_syntax(), run_assess}; }

}  // namespace parsimap
