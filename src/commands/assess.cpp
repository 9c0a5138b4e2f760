#include "parsimap/commands/assess.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>

#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/accuracy/sample_assessment.hpp"
#include "parsimap/accuracy/sample_difference.hpp"
#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/mosaic.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/report/accuracy_documents.hpp"
#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/table.hpp"

#include "assessment/prediction_points.hpp"
#include "assessment/sample_file.hpp"
#include "assessment/training_overlap.hpp"
#include "command_pages.hpp"
#include "common_options.hpp"
#include "job_frame.hpp"

namespace parsimap {
namespace {

void check_options(const AssessOptions& options) {
  if (options.strata && options.design != SamplingDesign::stratified) {
    throw ConfigError("--strata only goes with --sampling-design stratified");
  }
  if (options.sample && !options.reference.files.empty()) {
    throw ConfigError("REFERENCE and --sample are both given; the sample is the reference");
  }
  if (options.earlier && (options.compared_map || options.probabilities)) {
    throw ConfigError(std::string(options.compared_map ? "--compare" : "--probabilities") +
                      " does not go with --earlier, by which the classes of the map are changes");
  }
  // A map agrees with itself, whatever its accuracy.
  std::error_code failure;
  if (!options.reference.files.empty() &&
      std::filesystem::equivalent(options.reference.files.front(), options.map, failure) && !failure) {
    throw ConfigError("REFERENCE '" + options.reference.files.front() + "' is the same file as MAP");
  }
  if (options.sample && options.design) {
    throw ConfigError("--sampling-design does not go with --sample: the file of the sample has its design");
  }
}

// The outputs of an assessment, staged before the work begins.
struct AssessOutputs {
  using Text = std::function<std::string(const AssessResult&)>;

  AssessOutputs(Job& job, const AssessOptions& options) {
    OutputSet& set = job.outputs();
    try {
      if (const std::string model = model_of_map(options); !model.empty()) {
        set.add_input("the model of the map", model);
      }
    } catch (const DataError&) {
      // What the map is in place of a raster is said where it is opened.
    }
    if (options.predictions) {
      predictions = &stage_vector(set, "--predictions", *options.predictions);
      files.push_back(predictions->target);
    }
    if (options.output_folder) {
      // The folder is removed again by the set if nothing is published.
      set.make_folder(*options.output_folder);
      stage_tables(set, options);
    }
    job.stage_page("--report", options.report);
    if (options.report) {
      files.push_back(*options.report);
    }
  }

  void stage_tables(OutputSet& set, const AssessOptions& options) {
    const auto add = [&](const char* name, Text text) {
      files.push_back((std::filesystem::path(*options.output_folder) / name).string());
      texts.emplace_back(&set.stage("output", files.back()), std::move(text));
    };
    add("confusion.csv", [](const AssessResult& result) { return accuracy_csv(result.assessment); });
    add("accuracy.txt", [](const AssessResult& result) { return accuracy_text(result.assessment); });
    add("accuracy.json",
        [](const AssessResult& result) { return accuracy_json(result.assessment, result.files, result.seconds); });
    if (options.design || options.sample) {
      // Points that only compare two maps say nothing of areas.
      add("areas.csv", [](const AssessResult& result) {
        const std::optional<AreaAssessment>& areas = result.assessment.areas;
        return areas ? area_csv(*areas, result.assessment.confusion.names()) : std::string("class\n");
      });
    }
    if (options.compared_map) {
      add("comparison.csv", [](const AssessResult& result) { return comparison_csv(*result.assessment.comparison); });
    }
  }

  const StagedOutput* predictions = nullptr;
  std::vector<std::pair<const StagedOutput*, Text>> texts;  // of the tables
  std::vector<std::string> files;
};

std::unique_ptr<ClassMapSource> open_map(const std::string& path) {
  try {
    return open_class_map(path);
  } catch (const DataError&) {
    refuse_other_kind(path, Argument::map);
    throw;
  }
}

// Pixels of one part of a feature are alike; its parts may be as different as other features.
LabelledPixels read_reference(LabelInput input, const ClassMapSource& map, std::optional<DrawnSample>& sample) {
  if (sample) {
    SampleInput read = read_sample(sample->file, input.options, map.grid());
    sample = std::move(read.sample);
    input.options.layer = read.layer;
    LabelledPixels labels = read_label_input(input, map.grid(), map.name());
    check_places(*sample, labels, map.grid().width);
    // Points are units of their own, as they were drawn.
    labels.has_regions = false;
    return labels;
  }
  // The parts of a multipolygon become regions of their own for the intervals.
  input.options.separate_parts = true;
  input.options.unit_field = kTestUnitField;
  return read_label_input(input, map.grid(), map.name());
}

// All that is read, on one grid.
struct AssessInputs {
  explicit AssessInputs(const AssessOptions& options)
      : map(changes_since(options.earlier, open_map(options.map))),
        sample(options.sample ? std::optional(DrawnSample{.file = *options.sample}) : std::nullopt),
        reference(read_reference(options.reference, *map, sample)) {
    if (options.strata) {
      strata = open_on_grid(*options.strata, *map, "strata must lie on the map's grid");
    }
    if (options.compared_map) {
      compared = open_on_grid(*options.compared_map, *map, "maps to compare must lie on one grid");
    } else if (sample && sample->only_compares()) {
      throw DataError(sample->file +
                      " was drawn to compare two maps, and says nothing of one alone; --compare names "
                      "the other one");
    }
    if (options.probabilities) {
      probabilities = open_scene(*options.probabilities).source;
      check_same_grid(probabilities->grid(), probabilities->name(), map->grid(), map->name(),
                      "probabilities must lie on the map's grid");
    }
  }

  std::unique_ptr<ClassMapSource> map;
  std::optional<DrawnSample> sample;
  LabelledPixels reference;
  std::unique_ptr<ClassMapSource> strata;
  std::unique_ptr<ClassMapSource> compared;
  std::unique_ptr<SceneSource> probabilities;
};

void warn_of_names(const AssessInputs& inputs, Listener& listener) {
  std::vector<std::string> notes = inputs.reference.notes;
  for (const auto* source : {&inputs.map, &inputs.strata, &inputs.compared}) {
    add_all(notes, *source ? (*source)->notes() : std::vector<std::string>());
  }
  std::ranges::for_each(notes, [&](const std::string& note) { listener.message(note); });
}

void warn_of_losses(const AssessOptions& options, const AssessInputs& inputs, const Comparison& comparison,
                    Listener& listener) {
  const LabelledPixels& reference = inputs.reference;
  if (!comparison.match.by_name) {
    listener.message("classes are matched by code, because " +
                     (has_names(inputs.map->classes()) ? options.reference.files.front() : inputs.map->name()) +
                     " has no names of classes");
  }
  for (const std::string& name : classes_outside(reference)) {
    listener.warn("class-outside", "class '" + name + "' of the reference has no pixel on the map and is not assessed");
  }
  // Such classes have a row in the matrix and an empty column, since the map never predicts them.
  for (const std::string& name : comparison.match.reference_only) {
    listener.warn("class-not-in-map",
                  "class '" + name +
                      "' of the reference does not occur in the map; its pixels that the map classifies are errors. If "
                      "the map calls it otherwise, rename it (--classes)");
  }
  for (const std::string& name :
       inputs.compared ? match_classes(*inputs.compared, reference, options.reference.files.front()).reference_only
                       : std::vector<std::string>()) {
    listener.warn("class-not-in-map", "class '" + name + "' of the reference does not occur in " +
                                          inputs.compared->name() + ", which counts as wrong at its pixels");
  }
  const CountMatrix& counts = comparison.confusion.counts();
  for (Index c = 0; const ClassEntry& entry : inputs.map->classes()) {  // c: column of the class
    if (const auto pixels = counts.col(c).sum(); may_be_fill(entry) && counts.row(c).sum() == 0 && pixels > 0) {
      listener.warn("map-fill", "the map has the value " + entry.name + " at " + std::to_string(pixels) +
                                    " reference pixels, which count as errors. Many rasters fill with it: if it means "
                                    "unclassified, declare it as the nodata value of the map");
    }
    ++c;
  }
  if (reference.outside > 0) {
    listener.note("features-outside", "reference features without a pixel on the map: " + outside_text(reference));
  }
  if (reference.conflicting > 0) {
    listener.note("conflicting-labels",
                  "reference pixels dropped because two classes claim them: " + std::to_string(reference.conflicting));
  }
  if (comparison.unclassified > 0) {
    const bool may_be_class = options.reference.options.zero_class && inputs.map->unlabelled_zeros() > 0;
    listener.note("pixels-without-value", "reference pixels that the map leaves unclassified, not counted: " +
                                              std::to_string(comparison.unclassified) +
                                              (may_be_class ? "; " + std::string(kMapZero) : ""));
  }
}

void warn_of_sampling(const AssessOptions& options, const Assessment& assessment, Listener& listener) {
  if (options.sample) {
    return;
  }
  const std::string& file = options.reference.files.front();
  if (!options.design) {
    listener.message("no areas are estimated: " +
                     (assessment.facts.features && is_sample(file)
                          ? "--sample says that " + file + " is a sample of 'parsimap sample'"
                          : "that takes a probability sample of the map; say --sampling-design if the reference is "
                            "one"));
  } else if (assessment.intervals.regions) {
    listener.warn("regions-as-sample",
                  "the reference holds " + std::to_string(assessment.confusion.pixels()) + " pixels in " +
                      std::to_string(*assessment.intervals.regions) +
                      " regions, and the estimates of areas take every pixel for a sample unit of its own; if the "
                      "regions are the units, leave out --sampling-design");
  }
}

std::vector<OptionSyntax> reference_options(LabelInput& reference) {
  return joined(
      label_options(reference),
      {group_field_option(reference,
                          "Field of a vector reference: pixels of features with the same value count as one "
                          "region; unset: test_unit, if there is such a field, as in files of 'parsimap train "
                          "--test-out'")});
}

ReferenceFacts reference_facts(const AssessOptions& options, const AssessInputs& inputs, const Comparison& comparison) {
  LabelInput input = options.reference;
  ReferenceFacts facts{settings_of(reference_options(input)),
                       label_file(input.files.front()).sha256,
                       {},
                       0,
                       label_file(options.map).sha256};
  if (inputs.reference.has_regions) {
    std::set<std::int64_t> features;
    for (std::size_t i = 0; i < comparison.columns.size(); ++i) {
      if (comparison.columns[i] >= 0) {
        features.insert(inputs.reference.feature_of(inputs.reference.pixels[i].region));
      }
    }
    facts.features = static_cast<std::int64_t>(features.size());
    facts.outside_features = inputs.reference.outside;
  }
  return facts;
}

Assessment assess(const AssessOptions& options, AssessInputs& inputs, const Comparison& comparison,
                  Listener& listener) {
  const std::string& name = options.reference.files.front();
  const LabelledPixels& reference = inputs.reference;
  // Areas are estimated only if the user states that the reference is a probability sample: the estimators
  // (docs/method.md, "Accuracy and areas") are not valid for polygons that were chosen by hand. Confusion matrix,
  // intervals and areas use the same comparison of map and reference, in which unclassified pixels are left out.
  Assessment assessment{options.map,
                        name,
                        comparison.confusion,
                        comparison_intervals(comparison, reference),
                        comparison.unclassified,
                        reference.conflicting};
  assessment.facts = reference_facts(options, inputs, comparison);
  // A sample of the map counts training pixels as the map does.
  if (!inputs.sample && !options.earlier) {
    assessment.overlap = training_overlap(options, inputs.map->grid(), comparison, reference, listener);
  }
  assessment.codes = comparison.match.codes;
  warn_of_sampling(options, assessment, listener);
  if (options.design) {
    assessment.areas = assess_areas(*inputs.map, reference, comparison, *options.design, inputs.strata.get(),
                                    pixel_area(inputs.map->grid()));
  }
  if (const auto* change = dynamic_cast<const ChangeMap*>(inputs.map.get())) {
    assessment.change = AssessedChange{*options.earlier, change->changes()};
  }
  if (inputs.sample && !inputs.sample->only_compares()) {
    assessment.areas =
        assess_sample(*inputs.map, reference, comparison, *inputs.sample, pixel_area(inputs.map->grid()));
  }
  if (inputs.compared) {
    const auto right = right_of_pairs(comparison, *inputs.compared, reference, name);
    assessment.comparison = compare_maps(*inputs.map, *inputs.compared, reference, right);
    if (inputs.sample) {
      assessment.comparison->sampled =
          assess_difference(*inputs.map, *inputs.compared, reference, comparison, right, *inputs.sample);
      assessment.comparison->difference = assessment.comparison->sampled->interval;
    }
  }
  if (inputs.probabilities && (options.report || !options.predictions)) {
    assessment.reliability =
        assess_probabilities(*inputs.probabilities, reference, comparison.match, listener.progress("probabilities"));
  }
  return assessment;
}

}  // namespace

AssessResult assess_map(const AssessOptions& asked, Listener& listener) {
  check_options(asked);
  Job job(asked, listener);
  AssessOptions options = asked;
  if (options.sample) {
    options.reference.files = {*options.sample};
    options.reference.options.class_field = options.reference.options.class_field.value_or("class");
  }
  complete_label_options(options.reference, listener);
  // Only the stages that read many values report progress.
  listener.plan({{"comparing", 1},
                 {"probabilities", options.probabilities && (options.report || !options.predictions) ? 3.0 : 0},
                 {"predictions", options.predictions ? 6.0 : 0}});
  // Outputs are staged first. Then everything is read on the grid of the map and compared once; warnings about the
  // comparison come before the estimates that depend on it. The tables are written by functions that are stored with
  // their outputs, when the result is complete, and all files appear together.
  const AssessOutputs outputs(job, options);
  AssessInputs inputs(options);
  tell_reading(inputs.reference, listener);
  warn_of_names(inputs, listener);
  listener.progress("comparing");
  // One entry for each reference pixel: its row in the confusion matrix by its own class, its column by the class of
  // the map, -1 where the map is unclassified.
  const Comparison comparison = compare(*inputs.map, inputs.reference, options.reference.files.front());
  warn_of_losses(options, inputs, comparison, listener);
  AssessResult result{assess(options, inputs, comparison, listener), outputs.files, 0};
  if (outputs.predictions != nullptr) {
    write_predictions(*outputs.predictions, inputs.map->grid(), inputs.reference, comparison,
                      inputs.probabilities.get(), listener.progress("predictions"));
  }
  if (job.has_page()) {
    job.write_page(assess_report(options, result.assessment, *inputs.map, inputs.reference, comparison, job.date()));
  }
  result.seconds = job.seconds();
  for (const auto& [output, text] : outputs.texts) {
    write_text(*output, text(result));
  }
  job.publish();
  return result;
}

// The choices of the option are all that there are.
static Field design_field(std::optional<SamplingDesign>& design) {
  Field field = bound(design, [](const std::string& text) {
    return text == to_string(SamplingDesign::simple) ? SamplingDesign::simple : SamplingDesign::stratified;
  });
  field.check = nullptr;
  return field;
}

static std::vector<OptionSyntax> assess_options(AssessOptions& options) {
  return {
      {.name = "sample",
       .help =
           "Points of 'parsimap sample', labelled in their order from the first on, in place of REFERENCE: estimate "
           "accuracy and areas from their inclusion probabilities, and say how many more points the aims need",
       .field = bound(options.sample),
       .file = {{FileContent::vector}},
       .basic = true},
      {.name = "model",
       .help =
           "Model that made the map, to find reference pixels that it was trained on; unset: the model that the map "
           "names, if it is still there",
       .field = bound(options.model),
       .label = "Model of the map",
       .file = {{FileContent::document}, false, {".parsimap"}}},
      {.name = "sampling-design",
       .value_name = "DESIGN",
       .help = "The reference pixels are a random sample of the map, 'simple' or 'stratified': estimate areas",
       .field = design_field(options.design),
       .choices = {"simple", "stratified"}},
      {.name = "strata",
       .help =
           "Class raster of the strata that a stratified sample was drawn from, where they are not the map's classes",
       .field = bound(options.strata),
       .file = {{FileContent::raster}}},
      map_option("earlier", options.earlier, "Earlier map",
                 "Assess the changes since an earlier map on the same grid: the classes are pairs such as "
                 "'forest -> water', and so are those of the reference, as of a sample that was drawn with the same "
                 "option"),
      map_option("compare", options.compared_map, "Second map",
                 "Second map to compare with the same reference: McNemar's test and the interval of the difference; "
                 "with --sample the difference follows from the inclusion probabilities"),
      {.name = "predictions",
       .help = "Also write every reference pixel with its reference and its label (.csv, .gpkg)",
       .field = bound(options.predictions),
       .file = {{FileContent::vector}, true, {".gpkg", ".csv"}},
       .effect = Effect::run},
      {.name = "probabilities",
       .help = "Raster of 'parsimap classify --probabilities' for the predictions, and for the report to show how "
               "often they are right",
       .field = bound(options.probabilities),
       .file = {{FileContent::raster}}},
      {.name = "output-dir",
       .help = "Folder, made when its parent exists, to write confusion.csv, accuracy.txt and accuracy.json to, and "
               "areas.csv and comparison.csv where there are any",
       .field = bound(options.output_folder),
       .label = "Folder of tables",
       .file = {{FileContent::folder}, true},
       .effect = Effect::run},
      report_option(options.report)};
}

static void run_assess(const AssessOptions& options, CommandListener& listener) {
  if (options.probabilities && !options.predictions && !options.report) {
    throw ConfigError("--probabilities only goes with --predictions or --report");
  }
  const AssessResult result = assess_map(options, listener);
  listener.result(listener.json() ? accuracy_json(result.assessment, result.files, result.seconds)
                                  : accuracy_text(result.assessment));
}

CommandSyntax describe(AssessOptions& options) {
  ArgumentSyntax reference = labels_argument(options.reference, [&options] { return !options.sample; });
  reference.name = "REFERENCE";
  reference.instead = {"sample"};
  return {
      .name = "assess",
      .summary = "Compare a class map with reference labels",
      .details =
          "Counts how often map and reference agree and derives the usual measures of accuracy. Rows are\n"
          "reference, columns are map. Classes are matched by name where both have names, else by code.\n"
          "Reference pixels that the map leaves unclassified are counted apart. Measures have intervals of 95 %,\n"
          "which take the features of a vector file, the parts of its features, and groups of them as wholes.\n"
          "Reference pixels that the model was trained on are counted, where the model is known.\n"
          "Areas are estimated only where --sampling-design says that the reference is a probability sample of\n"
          "the map (Olofsson et al. 2014; Stehman 2014 with --strata), or with a --sample of 'parsimap sample'.",
      .arguments = {map_argument(options.map), reference},
      .options = joined(grouped("Reference", reference_options(options.reference)), assess_options(options)),
  };
}

Command assess_command() { return command_of<AssessOptions>(run_assess); }

}  // namespace parsimap
