#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/classifier/train.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/staged_file.hpp"
#include "parsimap/io/gdal/points.hpp"
#include "parsimap/io/json/model_file.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/samples/robust_centre.hpp"

#include "commands.hpp"
#include "input_files.hpp"
#include "memory.hpp"
#include "paths.hpp"
#include "report_file.hpp"
#include "samples_file.hpp"
#include "scene_options.hpp"
#include "train_report.hpp"
#include "training_data.hpp"
#include "training_validation.hpp"
#include "validation_options.hpp"

namespace parsimap {
namespace {

struct TrainRequest {
  std::string scene;
  std::string model;
  std::optional<std::string> samples_out;
  TrainingDataRequest data;
  std::optional<std::string> variable;
  std::optional<std::string> mask;
  BandChoice bands;
  TrainingOptions training;
  std::optional<ValidationOptions> validation;
  std::optional<std::int64_t> ram_bytes;
  std::optional<std::string> report;
  bool overwrite = false;
  std::vector<std::pair<std::string, std::string>> resolved;  // what the model depends on
};

CommandSyntax syntax() {
  CommandSyntax syntax = {
      .name = "train",
      .summary = "Learn a model from the labelled pixels of a scene",
      .details =
          "Learns to tell classes apart from the labelled pixels of a scene and writes a model file.\n"
          "For every class against the rest: its subspace, a kernel in its metric, and an L2-SVM. What\n"
          "the metric is like is chosen by regions that are left out in turn.",
      .arguments =
          {{"SCENE", "Raster that GDAL opens (for ENVI the data file or its .hdr), or MATLAB file"},
           {"LABELS",
            "Class raster or MATLAB file on the scene's grid (0 = unlabelled), or vector file with --class-field"},
           {"MODEL", "Model file to write"}},
      .options =
          {{.name = "kernel",
            .kind = OptionKind::text,
            .value_name = "NAME",
            .help = "hdda (class directions and the rest), pca (class directions alone) or gaussian",
            .default_value = "hdda",
            .choices = {"hdda", "pca", "gaussian"},
            .check = [](const std::string& text) { parse_kernel_family(text); }},
           {.name = "criterion",
            .kind = OptionKind::text,
            .value_name = "NAME",
            .help = "leave-one-out: one class metric for all, chosen by left-out regions; or radius-margin: the kernel "
                    "and the bound as the paper prints them, class by class",
            .default_value = "leave-one-out",
            .choices = {"leave-one-out", "radius-margin"},
            .check = [](const std::string& text) { parse_criterion(text); }},
           {.name = "class-weights",
            .kind = OptionKind::text,
            .value_name = "RULE",
            .help = "none, or balanced: errors in small classes cost as much as in large ones",
            .default_value = "none",
            .choices = {"none", "balanced"},
            .check = [](const std::string& text) { parse_class_weights(text); }},
           {.name = "dimension",
            .kind = OptionKind::text,
            .value_name = "RULE",
            .help = "Dimension of a class's subspace: scree:S, bic, ml, variance:F or fixed:P",
            .default_value = "scree:0.01",
            .choices = {"scree:", "bic", "ml", "variance:", "fixed:"},
            .check = [](const std::string& text) { parse_dimension_rule(text); }},
           {.name = "seed",
            .kind = OptionKind::integer,
            .value_name = "N",
            .help = "Seed of everything random",
            .default_value = "0"},
           {.name = "scaling",
            .kind = OptionKind::text,
            .value_name = "RULE",
            .help = "none, global (centre bands, one factor for all) or standardise (each band by itself)",
            .default_value = "global",
            .choices = {"none", "global", "standardise"},
            .check = [](const std::string& text) { parse_scaling_rule(text); }},
           ram_option("Memory for reading and training, in megabytes; unset: 512 for reading, what the machine has "
                      "for training")},
  };
  const std::vector<OptionSyntax> data = training_data_option_syntax();
  syntax.options.insert(syntax.options.begin(), data.begin(), data.end());
  for (const std::vector<OptionSyntax>& more : {band_option_syntax(), validation_option_syntax()}) {
    syntax.options.insert(syntax.options.end(), more.begin(), more.end());
  }
  syntax.options.push_back(report_option());
  syntax.options.push_back(mask_option());
  syntax.options.push_back(variable_option());
  syntax.options.push_back(samples_file_option());
  return syntax;
}

// Options on which the model depends: the others must not make two models of the same training differ.
std::vector<std::pair<std::string, std::string>> model_options(const OptionValues& values) {
  std::vector<std::pair<std::string, std::string>> result;
  const std::vector<OptionSyntax> options = syntax().options;
  for (auto& [name, value] : values.as_text()) {
    const bool own =
        name != "ram" && name != "samples-out" && name != "report" &&
        std::any_of(options.begin(), options.end(), [&name = name](const auto& option) { return option.name == name; });
    if (own || name == "config") {
      result.emplace_back(name, value);
    }
  }
  return result;
}

TrainRequest request_of(const OptionValues& values) {
  TrainRequest request;
  request.scene = values.argument("SCENE");
  request.model = values.argument("MODEL");
  request.samples_out = values.text("samples-out");
  request.variable = values.text("variable");
  request.mask = values.text("mask");
  request.bands = band_choice(values);
  request.training.family = parse_kernel_family(*values.text("kernel"));
  request.training.criterion = parse_criterion(*values.text("criterion"));
  request.training.class_weights = parse_class_weights(*values.text("class-weights"));
  check_training_options(request.training);
  request.training.dimension = parse_dimension_rule(*values.text("dimension"));
  request.training.scaling = parse_scaling_rule(*values.text("scaling"));
  request.training.seed = static_cast<std::uint64_t>(*values.integer("seed"));
  request.training.threads = resolve_threads(static_cast<int>(*values.integer("threads")));
  request.data = training_data_request(values, request.training.seed);
  request.validation = validation_options(values, request.training.seed);
  request.ram_bytes = ram_bytes(values);
  request.report = values.text("report");
  request.overwrite = values.flag("overwrite");
  request.resolved = model_options(values);
  return request;
}

// Directions estimated from few samples follow them too closely: leaving a sample out does not re-estimate them.
void warn_of_large_dimensions(const Model& model, Console& console) {
  constexpr Index kSamplesPerDirection = 4;
  for (std::size_t c = 0; c < model.machines.size(); ++c) {
    const BinaryMachine& machine = model.machines[c];
    if (kSamplesPerDirection * machine.metric.weights.size() > machine.samples) {
      console.warning("class '" + model.classes[c].name + "' has " + std::to_string(machine.metric.weights.size()) +
                      " directions from " + std::to_string(machine.samples) +
                      " samples; fewer directions (--dimension) may be better");
    }
  }
}

void warn_of_outliers(const SampleSet& samples, const std::vector<Outlier>& outliers, const RasterGrid& grid,
                      Console& console) {
  constexpr std::size_t kMostNamed = 3;
  const std::size_t named = std::min(outliers.size(), kMostNamed);
  for (std::size_t k = 0; k < named; ++k) {
    const auto i = static_cast<std::size_t>(outliers[k].sample);
    std::ostringstream text;
    text.precision(1);
    text << "the training pixel at column " << samples.pixels[i] % grid.width << ", row "
         << samples.pixels[i] / grid.width << " (class '"
         << samples.classes[static_cast<std::size_t>(samples.labels[i])].name << "') lies " << std::scientific
         << outliers[k].ratio << " times as far from the others as usual, and is left out; is it a bad value?";
    console.warning(text.str());
  }
  if (outliers.size() > named) {
    console.warning("training pixels left out because they lie more than 1000 times as far from the others as usual, " +
                    std::string("beside those: ") + std::to_string(outliers.size() - named));
  }
}

// One bad value spoils the statistics of its class and of all classes together, and so every kernel. A class that has
// nothing else keeps its pixels.
void leave_out_outliers(SampleSet& samples, const RasterGrid& grid, Console& console) {
  std::vector<Outlier> outliers = find_outliers(samples.spectra);
  std::vector<Index> left = class_counts(samples);
  const auto label = [&](const Outlier& outlier) {
    return static_cast<std::size_t>(samples.labels[static_cast<std::size_t>(outlier.sample)]);
  };
  for (const Outlier& outlier : outliers) {
    --left[label(outlier)];
  }
  std::erase_if(outliers, [&](const Outlier& outlier) { return left[label(outlier)] == 0; });
  warn_of_outliers(samples, outliers, grid, console);
  std::set<Index> dropped;
  for (const Outlier& outlier : outliers) {
    dropped.insert(outlier.sample);
  }
  Indices kept;
  for (Index i = 0; i < samples.size(); ++i) {
    if (!dropped.contains(i)) {
      kept.push_back(i);
    }
  }
  if (!dropped.empty()) {
    samples = subset(samples, kept);
  }
}

// The bands that were left out beforehand and those that hold nothing to learn from, ascending.
std::vector<DroppedBand> dropped_bands(const ChosenBands& chosen, const Extraction& extraction) {
  std::vector<DroppedBand> dropped = chosen.dropped;
  for (const Index band : extraction.empty_bands) {
    dropped.push_back({band, "no data"});
  }
  for (const Index band : extraction.constant_bands) {
    dropped.push_back({band, "constant"});
  }
  std::sort(dropped.begin(), dropped.end(), [](const auto& a, const auto& b) { return a.band < b.band; });
  return dropped;
}

void describe_training(const TrainRequest& request, const SceneSource& scene, std::int64_t scene_bytes,
                       const Extraction& extraction, Model& model) {
  model.scene_bands = static_cast<Index>(scene.bands().size());
  model.bands = extraction.bands;
  for (const Index band : extraction.bands) {
    model.band_table.push_back(scene.bands()[static_cast<std::size_t>(band)]);
  }
  model.provenance.program_version = PARSIMAP_VERSION;
  model.provenance.options = request.resolved;
  model.provenance.seed = request.training.seed;
  model.provenance.inputs = {{request.scene, scene_bytes}};
  for (const std::string& labels : request.data.labels) {
    model.provenance.inputs.push_back({labels, file_bytes(labels)});
  }
  if (request.mask) {
    model.provenance.inputs.push_back({*request.mask, file_bytes(*request.mask)});
  }
}

TrainingRecord record_of(const TrainRequest& request, const LabelledPixels& labelled, const Extraction& extraction) {
  TrainingRecord record;
  record.scene = request.scene;
  record.labels = request.data.labels;
  record.samples_out = request.samples_out;
  record.model = request.model;
  record.report = request.report;
  record.invalid_pixels = extraction.invalid_pixels;
  record.conflicting_pixels = labelled.conflicting;
  record.outside_features = labelled.outside;
  return record;
}

void check_request(const TrainRequest& request) {
  check_target(request.model, request.overwrite);
  std::vector<NamedPath> inputs = scene_files("SCENE", request.scene);
  const auto add_inputs = [&](const std::string& role, const std::string& path) {
    const std::vector<NamedPath> files = scene_files(role, path);
    inputs.insert(inputs.begin(), files.begin(), files.end());
  };
  for (const std::string& labels : request.data.labels) {
    add_inputs("LABELS", labels);
  }
  if (request.mask) {
    add_inputs("--mask", *request.mask);
  }
  std::vector<NamedPath> outputs = {{"MODEL", request.model}};
  check_outputs_distinct(inputs, outputs);
  if (request.samples_out) {
    check_points_target(*request.samples_out, request.overwrite);
    check_outputs_distinct(inputs, {{"--samples-out", *request.samples_out}});
    check_different({"--samples-out", *request.samples_out}, outputs[0]);
    outputs.push_back({"--samples-out", *request.samples_out});
  }
  check_report(request.report, inputs, outputs, request.overwrite);
}

Model train(TrainRequest& request, const TrainingData& data, const RasterGrid& grid, Console& console) {
  const SampleSet& samples = data.extraction.samples;
  const std::int64_t allowed = request.ram_bytes.value_or(machine_memory_bytes());
  const int threads = request.training.threads;
  request.training.threads = training_threads(samples.size(), samples.spectra.cols(), request.training, allowed);
  std::optional<Validation> validation;
  if (request.validation) {
    validation = validate_training(*request.validation, samples, grid, request.training, threads, allowed, console);
  }
  console.message("training " + std::to_string(samples.classes.size()) + " classes on " +
                  std::to_string(samples.size()) + " pixels with " + std::to_string(samples.spectra.cols()) + " bands");
  Model model = train_one_vs_all(samples, request.training, console.progress("training"));
  model.provenance.validation = std::move(validation);
  warn_of_large_dimensions(model, console);
  return model;
}

// The report is complete before the model appears.
void write_outputs(const TrainRequest& request, const Model& model, const TrainingRecord& record,
                   const SampleSet& samples, const SceneSource& scene) {
  std::unique_ptr<StagedFile> report;
  if (request.report) {
    report = stage_report(*request.report, train_report(model, record, samples, scene.bands(), request.training),
                          request.overwrite);
  }
  if (request.samples_out) {
    save_model_and_samples(model, request.model, samples, scene.grid(), *request.samples_out, request.overwrite);
  } else {
    save_model(model, request.model, request.overwrite);
  }
  if (report) {
    report->commit();
  }
}

void run(const OptionValues& values, Console& console) {
  TrainRequest request = request_of(values);
  const double start = steady_seconds();
  const MemoryBudget memory = split_memory(request.ram_bytes.value_or(kDefaultRam));
  const std::unique_ptr<SceneSource> scene = open_masked_scene(request.scene, request.variable, request.mask);
  const SceneDescription description = describe_scene_file(request.scene);
  check_request(request);
  const ChosenBands chosen = chosen_bands(*scene, description.misfit_bad_band_entries, request.bands, console);
  TrainingData data = read_training_data(request.data, *scene, chosen.bands, memory.working_bytes, console);
  leave_out_outliers(data.extraction.samples, scene->grid(), console);
  const double read = steady_seconds();
  Model model = train(request, data, scene->grid(), console);
  describe_training(request, *scene, description.bytes, data.extraction, model);
  model.dropped_bands = dropped_bands(chosen, data.extraction);
  const double trained = steady_seconds();
  TrainingRecord record = record_of(request, data.labelled, data.extraction);
  record.seconds = trained - start;
  record.stages = {{"read", read - start}, {"train", trained - read}};
  record.peak_memory_bytes = peak_memory_bytes();
  write_outputs(request, model, record, data.extraction.samples, *scene);
  const double written = steady_seconds();
  record.seconds = written - start;
  record.stages.emplace_back("write", written - trained);
  console.result(console.json() ? training_json(model, record) : training_text(model, record));
}

}  // namespace

Command train_command() { return {syntax(), run}; }

}  // namespace parsimap
