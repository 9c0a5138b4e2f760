#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/cli/colour_options.hpp"
#include "parsimap/cli/commands.hpp"
#include "parsimap/cli/memory.hpp"
#include "parsimap/cli/paths.hpp"
#include "parsimap/cli/scene_options.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/io/gdal/map_output.hpp"
#include "parsimap/io/json/model_file.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/mapping/band_match.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/report/mapping_report.hpp"

namespace parsimap {
namespace {

struct ClassifyRequest {
  std::string scene;
  std::string model;
  std::string map;
  std::optional<std::string> variable;
  std::optional<std::string> mask;
  std::optional<std::string> probabilities;
  std::optional<std::string> confidence;
  std::vector<ColourRule> colours;
  OutputOptions output;
  std::int64_t ram_bytes = 0;
  int threads = 1;
};

CommandSyntax syntax() {
  return {
      .name = "classify",
      .summary = "Map the classes of a scene with a model",
      .details =
          "Classifies every pixel of a scene and writes a class map. Pixels without a value in a band that\n"
          "the model uses become 0. Outputs appear under their names only when all of them are complete.",
      .arguments = {{"SCENE", "Raster that GDAL opens or MATLAB file, with the bands that the model uses"},
                    {"MODEL", "Model file of 'parsimap train'"},
                    {"MAP", "Class map to write: GeoTIFF (.tif), ENVI (.img, .dat) or what --of says"}},
      .options = {{.name = "probabilities",
                   .kind = OptionKind::text,
                   .value_name = "FILE",
                   .help = "Also write the probability of every class, one band each"},
                  {.name = "confidence",
                   .kind = OptionKind::text,
                   .value_name = "FILE",
                   .help = "Also write the largest probability"},
                  {.name = "of",
                   .kind = OptionKind::text,
                   .value_name = "FORMAT",
                   .help = "GDAL's name of the format of all outputs, such as GTiff, COG or ENVI; unset: by extension"},
                  {.name = "co",
                   .kind = OptionKind::list,
                   .value_name = "KEY=VALUE",
                   .help = "Creation option of the format, for all outputs"},
                  colour_option(),
                  mask_option(),
                  variable_option(),
                  ram_option("Memory for blocks and GDAL's cache, in megabytes (default 512)")},
  };
}

ClassifyRequest request_of(const OptionValues& values) {
  ClassifyRequest request;
  request.scene = values.argument("SCENE");
  request.model = values.argument("MODEL");
  request.map = values.argument("MAP");
  request.variable = values.text("variable");
  request.mask = values.text("mask");
  request.probabilities = values.text("probabilities");
  request.confidence = values.text("confidence");
  request.colours = colour_rules(values);
  request.output = {values.text("of"), values.list("co"), values.flag("overwrite")};
  request.ram_bytes = ram_bytes(values).value_or(kDefaultRam);
  request.threads = resolve_threads(static_cast<int>(*values.integer("threads")));
  return request;
}

std::vector<NamedPath> outputs_of(const ClassifyRequest& request) {
  std::vector<NamedPath> outputs = {{"MAP", request.map}};
  if (request.probabilities) {
    outputs.push_back({"--probabilities", *request.probabilities});
  }
  if (request.confidence) {
    outputs.push_back({"--confidence", *request.confidence});
  }
  return outputs;
}

void check_request(const ClassifyRequest& request) {
  std::vector<NamedPath> inputs = scene_files("SCENE", request.scene);
  inputs.push_back({"MODEL", request.model});
  if (request.mask) {
    const std::vector<NamedPath> mask = scene_files("--mask", *request.mask);
    inputs.insert(inputs.end(), mask.begin(), mask.end());
  }
  const std::vector<NamedPath> outputs = outputs_of(request);
  check_outputs_distinct(inputs, outputs);
  for (const NamedPath& output : outputs) {
    check_output(output.path, request.output);
  }
}

// The sinks of one run.
class Outputs {
 public:
  Outputs(const ClassifyRequest& request, const RasterGrid& grid, const ClassTable& classes) : request_(request) {
    if (request.probabilities) {
      std::vector<std::string> names;
      for (const ClassEntry& entry : classes) {
        names.push_back(entry.name);
      }
      probabilities_ = create_field(*request.probabilities, grid, names, request.output);
    }
    if (request.confidence) {
      confidence_ = create_field(*request.confidence, grid, {"confidence"}, request.output);
    }
    map_ = create_class_map(request.map, grid, classes, request.output);
  }

  [[nodiscard]] MapOutputs sinks() const { return {map_.get(), probabilities_.get(), confidence_.get()}; }

  // The map comes last: where it is, the rest is too. An output that is there already when a later one fails is taken
  // away again, unless it has replaced another.
  void commit() {
    std::vector<std::string> appeared;
    try {
      if (probabilities_) {
        commit(*probabilities_, *request_.probabilities, appeared);
      }
      if (confidence_) {
        commit(*confidence_, *request_.confidence, appeared);
      }
      map_->commit();
    } catch (...) {
      remove_all(appeared);
      throw;
    }
  }

 private:
  static void commit(FieldSink& sink, const std::string& path, std::vector<std::string>& appeared) {
    std::error_code ignored;
    const bool fresh = !std::filesystem::exists(path, ignored);
    sink.commit();
    if (fresh) {
      appeared.push_back(path);
    }
  }

  static void remove_all(const std::vector<std::string>& rasters) {
    std::error_code ignored;
    for (const std::string& raster : rasters) {
      for (const NamedPath& file : scene_files("", raster)) {
        std::filesystem::remove(file.path, ignored);
      }
    }
  }

  const ClassifyRequest& request_;
  std::unique_ptr<FieldSink> probabilities_;
  std::unique_ptr<FieldSink> confidence_;
  std::unique_ptr<ClassMapSink> map_;
};

MappingRecord record_of(const ClassifyRequest& request, const Model& model, const MappingSummary& summary) {
  MappingRecord record;
  record.scene = request.scene;
  record.model = request.model;
  record.map = request.map;
  record.probabilities = request.probabilities;
  record.confidence = request.confidence;
  record.pixels = summary.pixels;
  record.classified = summary.classified;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    record.classes.push_back({model.classes[c].code, model.classes[c].name, summary.class_pixels[c]});
  }
  record.stages = {
      {"read", summary.read_seconds}, {"compute", summary.compute_seconds}, {"write", summary.write_seconds}};
  record.peak_memory_bytes = peak_memory_bytes();
  return record;
}

void run(const OptionValues& values, Console& console) {
  const ClassifyRequest request = request_of(values);
  const double start = steady_seconds();
  const MemoryBudget memory = split_memory(request.ram_bytes);
  const std::unique_ptr<SceneSource> scene = open_masked_scene(request.scene, request.variable, request.mask);
  Model model = load_model(request.model);
  check_request(request);
  match_bands(*scene, model);  // before outputs are made
  apply_colours(request.colours, model.classes, console);
  Outputs outputs(request, scene->grid(), model.classes);
  const MappingSummary summary = classify_scene(*scene, model, outputs.sinks(), {memory.working_bytes, request.threads},
                                                console.progress("classifying"));
  outputs.commit();
  MappingRecord record = record_of(request, model, summary);
  record.seconds = steady_seconds() - start;
  if (record.classified == 0) {
    console.warning("no pixel of " + request.scene + " has a value in every band used; the map is empty");
  }
  console.result(console.json() ? mapping_json(record) : mapping_text(record));
}

}  // namespace

Command classify_command() { return {syntax(), run}; }

}  // namespace parsimap
