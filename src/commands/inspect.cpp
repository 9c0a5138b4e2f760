#include "parsimap/commands/inspect.hpp"

#include <algorithm>

#include "parsimap/classifier/model.hpp"
#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"

#include "command_pages.hpp"
#include "common_options.hpp"
#include "inspected_samples.hpp"
#include "job_frame.hpp"
#include "maps/map_work.hpp"

namespace parsimap {

static LabelInspection left_out_evidence(const InspectOptions& options, const Model& model,
                                         const ClassifierDesign& design, const SampleSet& samples,
                                         const Matrix& spectra, const Indices& outliers, Listener& listener) {
  const LabelledSpectra labelled{spectra, samples.labels, samples.places, model.classes.size(),
                                 profile_features(model)};
  LeftOutOptions left_out{.repeats = options.repeats, .seed = options.seed, .threads = thread_count(options)};
  // Whole regions are assigned to folds, and each fold is predicted by classifiers that were trained without it.
  // Outliers are predicted, but not used for training. Without a second region nothing can be left out.
  const std::vector<FoldRows> folds = left_out_folds(labelled, outliers, left_out);
  if (folds.empty()) {
    throw DataError(
        options.labels.files.front() +
        ": all labels are one region; a region is predicted by classifiers that are trained on other regions");
  }
  listener.message("classifying " + std::to_string(samples.size()) + " pixels without their regions");
  left_out.progress = listener.progress("classifying labels");
  // Decision values, one row for each sample, are averaged over the repeats. The slope of the softmax is that of the
  // model, so that probabilities are comparable with those of its maps.
  const Matrix decisions = left_out_decisions(labelled, folds, {design}, left_out);
  return inspect_labels({decisions, samples.labels, regions_of(samples.places), model.softmax_slope});
}

// The stages that follow the reading of these samples, and about how many seconds they take.
static std::vector<PlannedPhase> inspection_stages(const InspectOptions& options, const SampleSet& samples) {
  // Every repeat trains a classifier of each class without each of five folds, on the others of a few of the samples.
  constexpr double kOperationsOfPair = 150;  // beside those of the distance
  const auto n = static_cast<double>(std::min(samples.size(), LeftOutOptions().samples));
  const double pairs = 5 * static_cast<double>(samples.classes.size()) * 0.64 * n * n;
  const double seconds = kSecondsPerOperation * pairs *
                         (kOperationsOfPair + static_cast<double>(samples.spectra.cols())) / thread_count(options);
  std::vector<PlannedPhase> stages = {{"classifying labels", static_cast<double>(options.repeats) * seconds}};
  if (options.wavelengths) {
    stages.push_back({"evaluating wavelengths", 10 * seconds});
  }
  return stages;
}

static std::vector<RegionPlace> places_of(const LabelInspection& evidence, const InspectedSamples& data,
                                          const RasterGrid& grid) {
  std::vector<RegionPlace> places;
  for (const RegionEvidence& region : evidence.regions) {
    const auto [column, row] = centre_of(region, data.samples.places, grid.width);
    RegionPlace place{map_point(grid, column, row)};
    if (const auto feature = data.features.find(region.region); feature != data.features.end()) {
      place.feature = feature->second;
    }
    places.push_back(place);
  }
  return places;
}

InspectionRecord inspect_scene(const InspectOptions& asked, Listener& listener) {
  Job job(asked, listener);
  InspectOptions options = asked;
  complete_label_options(options.labels, listener);
  const Model model = load_or_explain(options.model);
  InputScene scene = open_input_scene(options.scene, listener);
  warn_of_own_output(options.scene.path, listener);
  // The steps: bands of the scene are fitted to the model, labelled pixels are read in these bands, all labels are
  // predicted without their regions, and the evidence is ranked. The importance of wavelengths uses a part of the same
  // samples. No model is written, and the labels are not changed.
  add_inputs(job.outputs(), scene);
  const StagedOutput* suspects =
      options.suspects ? &stage_pixel_layers(job.outputs(), "--suspects", *options.suspects) : nullptr;
  job.stage_page("--report", options.report);
  const std::optional<ResamplingFacts> resampled = fit_bands(scene, model, options.resample, listener);
  const RasterGrid& grid = scene.source->grid();
  listener.plan({{"reading labelled pixels", 1, false}, {"classifying labels", 3}});
  const InspectedSamples data = read_inspected_samples(options, model, *scene.source, listener);
  listener.plan(inspection_stages(options, data.samples));
  InspectionRecord record;
  record.model = options.model;
  record.scene = options.scene.path;
  record.labels = options.labels.files;
  record.suspects = options.suspects;
  record.report = options.report;
  record.resampled = resampled;
  record.classes = model.classes;
  record.repeats = options.repeats;
  job.end_stage(record, "read");
  // Metrics keep the shape and width that the model has, and the penalties too; covariances, directions and support
  // vectors are estimated anew without each fold (validation/refitted_classifiers.hpp).
  const ClassifierDesign design = design_with_weights(model, {});
  // Scaled by the offsets and scales of the model, not by those of the new samples: its metrics refer to them.
  const Matrix spectra = scaled_columns(model, data.samples);
  const Indices outliers = outliers_of(data.samples, listener);
  record.evidence = left_out_evidence(options, model, design, data.samples, spectra, outliers, listener);
  record.places = places_of(record.evidence, data, grid);
  job.end_stage(record, "judge");
  if (options.wavelengths) {
    record.wavelengths = inspect_wavelengths(options, model, design, data.samples, spectra, outliers, listener);
    job.end_stage(record, "wavelengths");
  }
  if (suspects != nullptr) {
    write_pixel_layers(*suspects, grid, suspect_layers(record, data.samples, grid.width));
  }
  if (job.has_page()) {
    job.write_page(inspect_report(record, settings(options), data.samples, *scene.source,
                                  page_facts(job.date(), grid, inputs_of(options))));
  }
  job.publish(record);
  return record;
}

static bool always() { return true; }

static std::vector<OptionSyntax> inspect_options(InspectOptions& options) {
  constexpr std::int64_t kMostRepeats = 100;
  return {further_labels_option(options.labels, always, "A further file of labels, but no raster, read like LABELS"),
          group_field_option(options.labels,
                             "Field of vector labels, such as a plot: features of equal value are left out together"),
          {.name = "suspects",
           .help = "Also write the regions and their pixels with label, most likely class, margin and rank (.gpkg), "
                   "with a style for QGIS",
           .field = bound(options.suspects),
           .label = "Suspicious regions and pixels",
           .file = {{FileContent::vector}, true, {".gpkg"}},
           .basic = true,
           .effect = Effect::run},
          {.name = "top",
           .help = "How many of the most suspicious regions to print",
           .field = bound(options.top),
           .effect = Effect::run},
          {.name = "repeats",
           .help = "How often the regions are shared out to folds; more makes the ranks steadier, and takes longer",
           .field = bound(options.repeats),
           .least = 1,
           .most = kMostRepeats},
          {.name = "wavelengths",
           .help = "Also estimate which wavelengths matter for every class, and how well the classes are separated",
           .field = bound(options.wavelengths),
           .basic = true},
          seed_option(options.seed, "Seed of the folds"),
          ram_option(options, "Memory for reading, in megabytes; unset: 512"),
          resample_option(options.resample)};
}

static void run_inspect(const InspectOptions& options, CommandListener& listener) {
  const InspectionRecord record = inspect_scene(options, listener);
  listener.result(listener.json() ? inspection_json(record) : inspection_text(record, options.top));
}

CommandSyntax describe(InspectOptions& options) {
  return {
      .name = "inspect",
      .summary = "Find suspicious labels, and the wavelengths that matter",
      .details =
          "Predicts every labelled region with classifiers of the model's kind that are trained without it, and\n"
          "lists the regions in descending order of the evidence against their labels. LABELS are usually those\n"
          "that the model was trained on. No label is changed: the user decides whether one is wrong.",
      .arguments = {model_argument(options.model), scene_argument(options.scene.path),
                    labels_argument(options.labels, always)},
      .options = joined(joined(grouped("Labels", label_options(options.labels)), inspect_options(options)),
                        joined(grouped("Scene", scene_options(options.scene)), {report_option(options.report)})),
  };
}

Command inspect_command() { return command_of<InspectOptions>(run_inspect); }

}  // namespace parsimap
