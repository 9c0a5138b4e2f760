#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/cli/commands.hpp"
#include "parsimap/cli/input_files.hpp"
#include "parsimap/cli/label_options.hpp"
#include "parsimap/cli/paths.hpp"
#include "parsimap/cli/reference_comparison.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/staged_file.hpp"
#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/report/accuracy_report.hpp"

namespace parsimap {
namespace {

struct AssessRequest {
  std::string map;
  std::string reference;
  LabelOptions label_options;
  std::optional<std::string> label_variable;
  std::optional<std::string> output_dir;
  bool overwrite = false;
};

CommandSyntax syntax() {
  CommandSyntax syntax = {
      .name = "assess",
      .summary = "Compare a class map with reference labels",
      .details =
          "Counts how often map and reference agree and derives the usual measures of accuracy. Rows are\n"
          "reference, columns are map. Classes are matched by name where both have names, else by code.\n"
          "Reference pixels that the map leaves unclassified are counted apart.",
      .arguments =
          {{"MAP", "Class map, such as one of 'parsimap classify'"},
           {"REFERENCE",
            "Class raster or MATLAB file on the map's grid (0 = unlabelled), or vector file with --class-field"}},
      .options = {{.name = "output-dir",
                   .kind = OptionKind::text,
                   .value_name = "DIR",
                   .help = "Folder to write confusion.csv, accuracy.txt and accuracy.json to"}},
  };
  const std::vector<OptionSyntax> labels = label_option_syntax();
  syntax.options.insert(syntax.options.begin(), labels.begin(), labels.end());
  return syntax;
}

AssessRequest request_of(const OptionValues& values) {
  return {values.argument("MAP"),        values.argument("REFERENCE"), label_options(values),
          values.text("label-variable"), values.text("output-dir"),    values.flag("overwrite")};
}

std::vector<std::string> report_files(const AssessRequest& request) {
  std::vector<std::string> files;
  if (request.output_dir) {
    for (const char* name : {"confusion.csv", "accuracy.txt", "accuracy.json"}) {
      files.push_back((std::filesystem::path(*request.output_dir) / name).string());
    }
  }
  return files;
}

void check_request(const AssessRequest& request) {
  if (request.output_dir && !std::filesystem::is_directory(*request.output_dir)) {
    throw ConfigError("output folder '" + *request.output_dir + "' does not exist or is no folder");
  }
  for (const std::string& file : report_files(request)) {
    check_target(file, request.overwrite);
    check_outputs_distinct({{"MAP", request.map}, {"REFERENCE", request.reference}}, {{"output", file}});
  }
}

// All are complete before the first appears.
void write_reports(const AssessmentRecord& record, bool overwrite) {
  if (record.files.empty()) {
    return;
  }
  const std::vector<std::string> documents = {accuracy_csv(record), accuracy_text(record), accuracy_json(record)};
  std::vector<std::unique_ptr<StagedFile>> staged;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    staged.push_back(std::make_unique<StagedFile>(record.files[i], overwrite));
    staged.back()->stream() << documents[i] << std::flush;
  }
  for (const auto& file : staged) {
    file->commit();
  }
}

void warn_of_losses(const LabelledPixels& reference, const ClassMatch& match, std::int64_t unclassified,
                    Console& console) {
  for (const std::string& name : match.reference_only) {
    console.warning("class '" + name + "' of the reference does not occur in the map; all its pixels count as errors");
  }
  if (reference.outside > 0) {
    console.warning("reference features without a pixel on the map: " + std::to_string(reference.outside));
  }
  if (reference.conflicting > 0) {
    console.warning("reference pixels dropped because two classes claim them: " +
                    std::to_string(reference.conflicting));
  }
  if (unclassified > 0) {
    console.warning("reference pixels that the map leaves unclassified, not counted: " + std::to_string(unclassified));
  }
}

void run(const OptionValues& values, Console& console) {
  const AssessRequest request = request_of(values);
  const double start = steady_seconds();
  check_request(request);
  const std::unique_ptr<ClassMapSource> map = open_class_map(request.map);
  const LabelledPixels reference =
      read_label_file(request.reference, request.label_options, request.label_variable, map->grid(), map->name());
  const ClassMatch match = match_classes(*map, reference, request.reference);
  Comparison comparison = compare(*map, reference, match);
  warn_of_losses(reference, match, comparison.unclassified, console);
  const AssessmentRecord record{
      request.map,           request.reference,     std::move(comparison.confusion), comparison.unclassified,
      reference.conflicting, report_files(request), steady_seconds() - start};
  write_reports(record, request.overwrite);
  console.result(console.json() ? accuracy_json(record) : accuracy_text(record));
}

}  // namespace

Command assess_command() { return {syntax(), run}; }

}  // namespace parsimap
