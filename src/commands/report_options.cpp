#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/json/records.hpp"

namespace parsimap {
namespace {

std::vector<OptionSyntax> report_options(ReportOptions& options) {
  return {{.name = "output",
           .short_name = 'o',
           .value_name = "FILE",
           .help = "Page to write",
           .field = bound(options.page),
           .label = "Page",
           .file = {{FileContent::document}, true, {".html"}},
           .basic = true},
          {.name = "scene",
           .value_name = "FILE",
           .help = "Scene of the map, to be shown beside it",
           .field = bound(options.scene.path),
           .file = {{FileContent::raster}},
           .basic = true},
          variable_option(options.scene.variable),
          orthorectify_option(options.scene),
          {.name = "reference",
           .value_name = "FILE",
           .help = "Reference of the accuracy, to show where the map is right and wrong; labels are "
                   "read as 'parsimap assess' reads them",
           .field = labels_argument(options.reference, [] { return true; }).field,
           .file = {{FileContent::raster, FileContent::vector}},
           .basic = true}};
}

void run_report(const ReportOptions& options, CommandListener& listener) {
  if (options.page.empty()) {
    throw ConfigError("--output is missing; it names the page to write, such as -o page.html");
  }
  write_report(options, listener);
  listener.result(listener.json() ? report_json(options.page) : "Report: " + options.page + "\n");
}

}  // namespace

CommandSyntax describe(ReportOptions& options) {
  return {
      .name = "report",
      .summary = "Put model, map and accuracy on one page",
      .details =
          "Writes one page of HTML about a model, a map made with it and the accuracy of that map: verdict, pictures,\n"
          "areas, errors, spectra and what all of it comes from. It opens without a network, and prints.",
      .arguments = {model_argument(options.model),
                    {.name = "MAP",
                     .help = "Class map of 'parsimap classify'",
                     .field = bound(options.map),
                     .file = {{FileContent::raster}}},
                    {.name = "ACCURACY",
                     .help =
                         "Document of 'parsimap assess': accuracy.json of 'parsimap assess --output-dir', or what it "
                         "prints as JSON",
                     .field = bound(options.accuracy),
                     .file = {{FileContent::document}, false, {".json"}}}},
      .options = joined(report_options(options), label_options(options.reference))};
}

Command report_command() { return command_of<ReportOptions>(run_report); }

}  // namespace parsimap
