#include <memory>
#include <string>
#include <vector>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/io/json/model_file.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/mapping/band_match.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/report/mapping_report.hpp"

#include "colour_options.hpp"
#include "commands.hpp"
#include "map_outputs.hpp"
#include "map_report.hpp"
#include "memory.hpp"
#include "paths.hpp"
#include "regularise_option.hpp"
#include "reject_options.hpp"
#include "report_file.hpp"
#include "scene_options.hpp"

namespace parsimap {
namespace {

struct ClassifyRequest {
  std::string scene;
  std::string model;
  MapFiles files;
  std::optional<std::string> variable;
  std::optional<std::string> mask;
  std::vector<ColourRule> colours;
  MappingOptions mapping;
};

CommandSyntax syntax() {
  CommandSyntax syntax = {
      .name = "classify",
      .summary = "Map the classes of a scene with a model",
      .details =
          "Classifies every pixel of a scene and writes a class map. Pixels without a value in a band that\n"
          "the model uses become 0. Outputs appear under their names only when all of them are complete.",
      .arguments = {{"SCENE", "Raster that GDAL opens or MATLAB file, with the bands that the model uses"},
                    {"MODEL", "Model file of 'parsimap train'"},
                    {"MAP", "Class map to write: GeoTIFF (.tif), ENVI (.img, .dat) or what --of says"}},
      .options = reject_option_syntax()};
  const std::vector<OptionSyntax> outputs = map_output_syntax();
  syntax.options.insert(syntax.options.end(), outputs.begin(), outputs.end());
  syntax.options.push_back(regularise_option());
  syntax.options.push_back(colour_option());
  syntax.options.push_back(mask_option());
  syntax.options.push_back(variable_option());
  syntax.options.push_back(ram_option("Memory for blocks and GDAL's cache, in megabytes (default 512)"));
  return syntax;
}

ClassifyRequest request_of(const OptionValues& values) {
  ClassifyRequest request;
  request.scene = values.argument("SCENE");
  request.model = values.argument("MODEL");
  request.files = map_files(values);
  request.variable = values.text("variable");
  request.mask = values.text("mask");
  request.colours = colour_rules(values);
  request.mapping.regularisation = regularisation_of(values);
  read_reject_options(values, request.mapping);
  request.mapping.threads = resolve_threads(static_cast<int>(*values.integer("threads")));
  return request;
}

void check_request(const ClassifyRequest& request, const SceneDescription& scene) {
  std::vector<NamedPath> inputs = scene_files("SCENE", request.scene, scene.files);
  inputs.push_back({"MODEL", request.model});
  if (request.mask) {
    const std::vector<NamedPath> mask = scene_files("--mask", *request.mask);
    inputs.insert(inputs.end(), mask.begin(), mask.end());
  }
  const std::vector<NamedPath> outputs = named_paths(request.files);
  check_outputs_distinct(inputs, outputs);
  for (const NamedPath& output : outputs) {
    check_output(output.path, request.files.output);
  }
  check_report(request.files.report, inputs, outputs, request.files.output.overwrite);
}

MappingRecord record_of(const ClassifyRequest& request, const Model& model, const MappingSummary& summary) {
  MappingRecord record;
  record.scene = request.scene;
  record.model = request.model;
  record.map = request.files.map;
  record.probabilities = request.files.probabilities;
  record.confidence = request.files.confidence;
  record.decision_values = request.files.decision_values;
  record.novelty = request.files.novelty;
  record.report = request.files.report;
  record.regularise = to_string(request.mapping.regularisation);
  record.regularisation = to_string(summary.regularisation);
  record.pixels = summary.pixels;
  record.classified = summary.classified;
  record.rejected = summary.rejected;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    record.classes.push_back({model.classes[c].code, model.classes[c].name, summary.class_pixels[c]});
  }
  record.stages = {
      {"read", summary.read_seconds}, {"compute", summary.compute_seconds}, {"write", summary.write_seconds}};
  if (request.mapping.regularisation.method == RegularisationMethod::automatic) {
    record.stages.insert(record.stages.begin(), {"choose", summary.choice_seconds});
  }
  record.peak_memory_bytes = peak_memory_bytes();
  return record;
}

// A stage of its own for each output, which begins when there is something to tell.
Progress writing_progress(Console& console) {
  return [&console, stage = Progress()](double fraction) mutable {
    if (!stage) {
      stage = console.progress("writing");
    }
    stage(fraction);
  };
}

void run(const OptionValues& values, Console& console) {
  ClassifyRequest request = request_of(values);
  request.files.output.progress = writing_progress(console);
  const double start = steady_seconds();
  request.mapping.ram_bytes = split_memory(ram_bytes(values).value_or(kDefaultRam)).working_bytes;
  const auto [scene, description] = open_masked_scene(request.scene, request.variable, request.mask);
  Model model = load_model(request.model);
  check_request(request, description);
  match_bands(*scene, model);  // before outputs are made
  apply_colours(request.colours, model.classes, console);
  MapFileSinks outputs(request.files, scene->grid(), model.classes);
  std::optional<MapReport> report;
  if (request.files.report) {
    report.emplace(scene->grid(), outputs.sinks());
  }
  const MappingSummary summary = classify_scene(*scene, model, report ? report->watched() : outputs.sinks(),
                                                request.mapping, console.progress("classifying"));
  MappingRecord record = record_of(request, model, summary);
  record.seconds = steady_seconds() - start;
  if (report) {
    outputs.write_report(report->html(record, *scene, model.classes, values.as_text()));
  }
  const double committing = steady_seconds();
  outputs.commit();
  record.stages.back().second += steady_seconds() - committing;  // of writing
  record.seconds = steady_seconds() - start;
  if (record.classified + record.rejected == 0) {
    console.warning("no pixel of " + request.scene + " has a value in every band used; the map is empty");
  } else if (record.classified == 0) {
    console.warning("every pixel of " + request.scene + " was rejected; the map is empty");
  }
  console.result(console.json() ? mapping_json(record) : mapping_text(record));
}

}  // namespace

Command classify_command() { return {syntax(), run}; }

}  // namespace parsimap
