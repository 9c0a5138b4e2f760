#include "parsimap/app/combined_report.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/io/json/records.hpp"

#include "commands.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

CommandSyntax report_syntax() {
  return {
      .name = "report",
      .summary = "Put model, map and accuracy on one page",
      .details =
          "Writes one page of HTML about a model, a map made with it and the accuracy of that map: verdict, pictures,\n"
          "areas, errors, spectra and what all of it comes from. It opens without a network, and prints.",
      .arguments = {{.name = "MODEL",
                     .help = "Model file of 'parsimap train'",
                     .file = {{FileContent::document}, false, {".parsimap"}}},
                    {.name = "MAP", .help = "Class map of 'parsimap classify'", .file = {{FileContent::raster}}},
                    {.name = "ACCURACY",
                     .help = "Document of 'parsimap assess': accuracy.json of --output-dir, or what --json prints",
                     .file = {{FileContent::document}, false, {".json"}}}},
      .options = joined({{.name = "output",
                          .short_name = 'o',
                          .kind = OptionKind::text,
                          .value_name = "FILE",
                          .help = "Page to write",
                          .label = "Page",
                          .file = {{FileContent::document}, true, {".html"}},
                          .basic = true},
                         {.name = "scene",
                          .kind = OptionKind::text,
                          .value_name = "FILE",
                          .help = "Scene of the map, to be shown beside it",
                          .file = {{FileContent::raster}},
                          .basic = true},
                         variable_option(),
                         orthorectify_option(),
                         {.name = "reference",
                          .kind = OptionKind::text,
                          .value_name = "FILE",
                          .help = "Reference of the accuracy, to show where the map is right and wrong; labels are "
                                  "read as 'parsimap assess' reads them",
                          .file = {{FileContent::raster, FileContent::vector}},
                          .basic = true}},
                        label_option_syntax())};
}

ReportOptions report_options(const OptionValues& values) {
  ReportOptions options;
  options.model = values.argument("MODEL");
  options.map = values.argument("MAP");
  options.accuracy = values.argument("ACCURACY");
  const auto page = values.text("output");
  if (!page) {
    throw ConfigError("--output is missing; it names the page to write, such as -o page.html");
  }
  options.page = *page;
  if (const auto scene = values.text("scene")) {
    options.scene = SceneInput{*scene, values.text("variable")};
    options.scene->orthorectify = values.flag("orthorectify");
  } else if (values.text("variable") || values.flag("orthorectify")) {
    throw ConfigError("--variable and --orthorectify only go with --scene");
  }
  if (const auto reference = values.text("reference")) {
    options.reference = label_input(values, {*reference});
  } else if (values.text("class-field") || values.text("where") || values.text("label-variable")) {
    throw ConfigError("--class-field, --where and --label-variable only go with --reference");
  }
  options.overwrite = values.flag("overwrite");
  options.option_files = option_files(values);
  return options;
}

void run_report(const OptionValues& values, CommandListener& listener) {
  const ReportOptions options = report_options(values);
  write_report(options, listener);
  listener.result(listener.json() ? report_json(options.page) : "Report: " + options.page + "\n");
}

}  // namespace

Command report_command() { return {report_syntax(), run_report}; }

}  // namespace parsimap
