#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/json/accuracy_record.hpp"
#include "parsimap/report/accuracy_report.hpp"

namespace parsimap {
namespace {

// The choices of the option are all that there are.
Field design_field(std::optional<SamplingDesign>& design) {
  Field field = bound(design, [](const std::string& text) {
    return text == to_string(SamplingDesign::simple) ? SamplingDesign::simple : SamplingDesign::stratified;
  });
  field.check = nullptr;
  return field;
}

std::vector<OptionSyntax> assess_options(AssessOptions& options) {
  return {
      {.name = "sampling-design",
       .value_name = "DESIGN",
       .help = "The reference pixels are a random sample of the map, 'simple' or 'stratified': estimate areas",
       .field = design_field(options.design),
       .choices = {"simple", "stratified"}},
      {.name = "strata",
       .value_name = "FILE",
       .help =
           "Class raster of the strata that a stratified sample was drawn from, where they are not the map's classes",
       .field = bound(options.strata),
       .file = {{FileContent::raster}}},
      {.name = "compare",
       .value_name = "MAP",
       .help = "Second map to hold against the same reference: McNemar's test and the interval of the difference",
       .field = bound(options.compared_map),
       .label = "Second map",
       .file = {{FileContent::raster}}},
      {.name = "predictions",
       .value_name = "FILE",
       .help = "Also write every reference pixel with its reference and its label (.csv, .gpkg)",
       .field = bound(options.predictions),
       .file = {{FileContent::vector}, true, {".gpkg", ".csv"}},
       .effect = Effect::run},
      {.name = "probabilities",
       .value_name = "FILE",
       .help = "Raster of 'parsimap classify --probabilities' for the predictions, and for the report to show how "
               "often they are right",
       .field = bound(options.probabilities),
       .file = {{FileContent::raster}}},
      {.name = "output-dir",
       .value_name = "DIR",
       .help = "Folder, made when its parent exists, to write confusion.csv, accuracy.txt and accuracy.json to, and "
               "areas.csv and comparison.csv where there are any",
       .field = bound(options.output_folder),
       .label = "Folder of tables",
       .file = {{FileContent::folder}, true},
       .effect = Effect::run},
      report_option(options.report)};
}

void run_assess(const AssessOptions& options, CommandListener& listener) {
  if (options.probabilities && !options.predictions && !options.report) {
    throw ConfigError("--probabilities only goes with --predictions or --report");
  }
  const AssessResult result = assess_map(options, listener);
  listener.result(listener.json() ? accuracy_json(result.assessment, result.files, result.seconds)
                                  : accuracy_text(result.assessment));
}

}  // namespace

CommandSyntax describe(AssessOptions& options) {
  ArgumentSyntax reference = labels_argument(options.reference, [] { return true; });
  reference.name = "REFERENCE";
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
      .arguments = {{.name = "MAP",
                     .help = "Class map, such as one of 'parsimap classify'",
                     .field = bound(options.map),
                     .file = {{FileContent::raster}}},
                    reference},
      .options = joined(label_options(options.reference), assess_options(options)),
  };
}

Command assess_command() { return command_of<AssessOptions>(run_assess); }

}  // namespace parsimap
