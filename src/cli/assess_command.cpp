#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/gdal/vector_output.hpp"
#include "parsimap/io/json/accuracy_record.hpp"
#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/csv.hpp"

#include "area_assessment.hpp"
#include "assess_report.hpp"
#include "commands.hpp"
#include "map_comparison.hpp"
#include "prediction_output.hpp"
#include "reference_comparison.hpp"
#include "reference_probabilities.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

struct AssessRequest {
  std::string map;
  LabelInput reference;
  std::optional<SamplingDesign> design;
  std::optional<std::string> compared_map;
  std::optional<PredictionOptions> predictions;
  std::optional<std::string> probabilities;  // with predictions, or for the report
  std::optional<std::string> output_dir;
  std::optional<std::string> report;
  bool overwrite = false;
};

CommandSyntax syntax() {
  CommandSyntax syntax = {
      .name = "assess",
      .summary = "Compare a class map with reference labels",
      .details =
          "Counts how often map and reference agree and derives the usual measures of accuracy. Rows are\n"
          "reference, columns are map. Classes are matched by name where both have names, else by code.\n"
          "Reference pixels that the map leaves unclassified are counted apart. Measures have intervals of 95 %,\n"
          "from whole features where the reference is a vector file.\n"
          "Areas are estimated only where --sampling-design says that the reference is a probability sample of\n"
          "the map (Olofsson et al. 2014; Stehman 2014 with --strata).",
      .arguments =
          {{"MAP", "Class map, such as one of 'parsimap classify'"},
           {"REFERENCE",
            "Class raster or MATLAB file on the map's grid (0 = unlabelled), or vector file with --class-field"}},
      .options = {},
  };
  const OptionSyntax compare = {.name = "compare",
                                .kind = OptionKind::text,
                                .value_name = "MAP",
                                .help =
                                    "Second map to hold against the same reference: McNemar's test and the "
                                    "interval of the difference"};
  const OptionSyntax folder = {.name = "output-dir",
                               .kind = OptionKind::text,
                               .value_name = "DIR",
                               .help =
                                   "Folder to write confusion.csv, accuracy.txt and accuracy.json to, and "
                                   "areas.csv and comparison.csv where there are any"};
  for (const std::vector<OptionSyntax>& group : {label_option_syntax(),
                                                 area_option_syntax(),
                                                 {compare},
                                                 prediction_option_syntax(),
                                                 {folder, report_option()}}) {
    syntax.options.insert(syntax.options.end(), group.begin(), group.end());
  }
  return syntax;
}

AssessRequest request_of(const OptionValues& values) {
  if (values.text("probabilities") && !values.text("predictions") && !values.text("report")) {
    throw ConfigError("--probabilities only goes with --predictions or --report");
  }
  return {values.argument("MAP"),     label_input(values, {values.argument("REFERENCE")}),
          sampling_design(values),    values.text("compare"),
          prediction_options(values), values.text("probabilities"),
          values.text("output-dir"),  values.text("report"),
          values.flag("overwrite")};
}

// The names in the output folder, with what makes their content.
std::vector<std::pair<std::string, std::string (*)(const AssessmentRecord&)>> documents(const AssessRequest& request) {
  std::vector<std::pair<std::string, std::string (*)(const AssessmentRecord&)>> list;
  if (!request.output_dir) {
    return list;
  }
  const auto add = [&](const char* name, std::string (*content)(const AssessmentRecord&)) {
    list.emplace_back((std::filesystem::path(*request.output_dir) / name).string(), content);
  };
  add("confusion.csv", accuracy_csv);
  add("accuracy.txt", accuracy_text);
  add("accuracy.json", accuracy_json);
  if (request.design) {
    add("areas.csv", [](const AssessmentRecord& record) { return area_csv(*record.areas, record.confusion.names()); });
  }
  if (request.compared_map) {
    add("comparison.csv", [](const AssessmentRecord& record) { return comparison_csv(*record.comparison); });
  }
  return list;
}

struct AssessOutputs {
  explicit AssessOutputs(const AssessRequest& request) : set(request.overwrite) {
    if (request.output_dir && !std::filesystem::is_directory(*request.output_dir)) {
      throw ConfigError("output folder '" + *request.output_dir + "' does not exist or is no folder");
    }
    set.add_input("MAP", request.map);
    set.add_input("REFERENCE", request.reference.files.front());
    if (request.compared_map) {
      set.add_input("--compare", *request.compared_map);
    }
    if (request.design && request.design->strata) {
      set.add_input("--strata", *request.design->strata);
    }
    if (request.probabilities) {
      set.add_input("--probabilities", *request.probabilities);
    }
    for (const auto& [file, content] : documents(request)) {
      texts.push_back(&set.stage("output", file));
    }
    if (request.predictions) {
      predictions = &stage_vector(set, "--predictions", request.predictions->file);
    }
    if (request.report) {
      report = &set.stage("--report", *request.report);
    }
  }

  OutputSet set;
  std::vector<const StagedOutput*> texts;
  const StagedOutput* predictions = nullptr;
  const StagedOutput* report = nullptr;
};

// All are complete before the first appears.
void write_outputs(const AssessRequest& request, const AssessmentRecord& record, AssessOutputs& outputs,
                   const std::optional<std::string>& report) {
  std::size_t i = 0;
  for (const auto& [file, content] : documents(request)) {
    write_text(*outputs.texts[i++], content(record));
  }
  if (report) {
    write_text(*outputs.report, *report);
  }
  outputs.set.publish();
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

void warn_of_sampling(const AssessRequest& request, const AccuracyIntervals& intervals, const Comparison& comparison,
                      Console& console) {
  if (!request.design) {
    console.message(
        "no areas are estimated: that takes a probability sample of the map; say --sampling-design if the reference "
        "is one");
  } else if (intervals.regions) {
    console.warning("the reference holds " + std::to_string(comparison.confusion.pixels()) + " pixels in " +
                    std::to_string(*intervals.regions) +
                    " features; the estimates of areas take every pixel for a sample unit of its own");
  }
}

AssessmentRecord assess(const AssessRequest& request, ClassMapSource& map, const LabelledPixels& reference,
                        const ClassMatch& match, Comparison& comparison, Console& console) {
  AssessmentRecord record{request.map, request.reference.files.front(), comparison.confusion,
                          comparison_intervals(comparison, reference, match)};
  record.unclassified_pixels = comparison.unclassified;
  record.conflicting_pixels = reference.conflicting;
  warn_of_sampling(request, record.intervals, comparison, console);
  if (request.design) {
    record.areas = assess_areas(map, reference, match, comparison, *request.design);
  }
  if (request.compared_map) {
    const std::unique_ptr<ClassMapSource> other = open_class_map(*request.compared_map);
    record.comparison = compare_maps(map, match, comparison, *other, reference, request.reference.files.front());
  }
  return record;
}

// The page that is asked for, if any.
std::optional<std::string> report_of(const AssessRequest& request, const AssessmentRecord& record,
                                     const ClassMapSource& map, const LabelledPixels& reference,
                                     const ClassMatch& match, const OptionValues& values) {
  if (!request.report) {
    return std::nullopt;
  }
  std::optional<Reliability> reliability;
  if (request.probabilities) {
    reliability = read_reliability(*request.probabilities, map, reference, match);
  }
  return assess_report(record, reliability, values.as_text());
}

void run(const OptionValues& values, Console& console) {
  const AssessRequest request = request_of(values);
  const double start = steady_seconds();
  AssessOutputs outputs(request);
  const std::unique_ptr<ClassMapSource> map = open_class_map(request.map);
  const LabelledPixels reference = read_label_input(request.reference, map->grid(), map->name());
  const ClassMatch match = match_classes(*map, reference, request.reference.files.front());
  Comparison comparison = compare(*map, reference, match);
  warn_of_losses(reference, match, comparison.unclassified, console);
  AssessmentRecord record = assess(request, *map, reference, match, comparison, console);
  if (request.predictions) {
    write_predictions(*request.predictions, *outputs.predictions, *map, reference, match, comparison,
                      console.progress("predictions"));
    console.clear_progress();
    record.files.push_back(request.predictions->file);
  }
  for (const auto& [file, content] : documents(request)) {
    record.files.push_back(file);
  }
  if (request.report) {
    record.files.push_back(*request.report);
  }
  record.seconds = steady_seconds() - start;
  write_outputs(request, record, outputs, report_of(request, record, *map, reference, match, values));
  console.result(console.json() ? accuracy_json(record) : accuracy_text(record));
}

}  // namespace

Command assess_command() { return {syntax(), run}; }

}  // namespace parsimap
