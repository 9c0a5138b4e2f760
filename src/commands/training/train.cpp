#include "parsimap/commands/training/train.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "parsimap/classifier/validation.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/table.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/selection/descent.hpp"

#include "../command_pages.hpp"
#include "../job_frame.hpp"
#include "expected_map_accuracy.hpp"
#include "feature_names.hpp"
#include "samples_output.hpp"
#include "spatial_training.hpp"
#include "train_options.hpp"
#include "train_syntax.hpp"
#include "training_samples.hpp"
#include "training_scenes.hpp"
#include "training_units.hpp"

namespace parsimap {

namespace {

bool has_scene(const TrainOptions& options) { return !options.scene.path.empty(); }

// The name of an image, a vector file or a table in the place of the model is mostly an argument too few.
void check_model_name(const std::string& path) {
  static const std::set<std::string> others = {".tif", ".tiff", ".img", ".hdr",  ".dat",     ".bil", ".bip",  ".bsq",
                                               ".vrt", ".png",  ".shp", ".gpkg", ".geojson", ".csv", ".json", ".html"};
  const std::string extension = lower_case(std::filesystem::path(path).extension().string());
  if (others.contains(extension)) {
    throw ConfigError("MODEL is '" + path + "', and " + extension +
                      " is not the ending of a model; use another, such as .parsimap");
  }
}

// The outputs of a training, staged before the work begins.
struct TrainOutputs {
  TrainOutputs(Job& job, const TrainOptions& options) {
    OutputSet& set = job.outputs();
    if (!options.model.empty()) {
      model = &set.stage("MODEL", options.model);
    }
    if (options.samples_out) {
      samples = &stage_samples(set, "--samples-out", *options.samples_out, options.library.files.empty());
    }
    if (options.test.share) {
      test = &stage_vector(set, "--test-out", *options.test.out);
    }
    job.stage_page("--report", options.report);
  }

  const StagedOutput* model = nullptr;
  const StagedOutput* samples = nullptr;
  const StagedOutput* test = nullptr;
};

// The description of the command does not know what a list of scenes names.
void add_listed_inputs(Job& job, const TrainOptions& options) {
  const auto add = [&](const std::string& role, const std::string& path, const FileSyntax& syntax) {
    const bool known = std::ranges::any_of(job.inputs(), [&](const NamedFile& file) { return file.path == path; });
    if (!path.empty() && !known) {
      job.add_input({role, path, syntax});
    }
  };
  const auto add_all = [&](const SceneInput& scene, const LabelInput& labels) {
    add("SCENE", scene.path, {{FileContent::raster}});
    for (const std::string& file : labels.files) {
      add("LABELS", file, {{FileContent::raster, FileContent::vector}});
    }
    add("--mask", scene.mask.value_or(""), {{FileContent::raster}});
  };
  add_all(options.scene, options.labels);
  for (const TrainingScene& further : options.further_scenes) {
    add_all(further.scene, further.labels);
  }
}

InputScene input_of(const SpectralLibrary& library) {
  InputScene scene;
  scene.input.path = library.path;
  scene.source = library_scene(library);
  scene.description.driver = library.format;
  scene.description.bytes = bytes_of_file(library.path).value_or(0);
  return scene;
}

Warn said_to(Listener& listener) {
  return [&listener](const std::string& text) { listener.message(text); };
}

// The bands that were left out beforehand and those that hold nothing to learn from, ascending.
std::vector<DroppedBand> dropped_bands(const ChosenBands& chosen, const Extraction& extraction) {
  // Reasons of a scene (bad bands, options) come first; those of the labelled pixels can only be known after they were
  // read.
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

// Options that do not change the model are left out: they must not make two models of the same training differ.
Settings kept_settings(const TrainOptions& options, const Listener& listener) {
  Settings kept = settings(options, [](const OptionSyntax& option) { return option.effect == Effect::result; });
  for (auto& [name, value] : kept) {
    value = listener.with_names(value);
  }
  return kept;
}

TrainingSource source_of(const std::vector<NamedInput>& inputs, const InputScene& scene, const TrainingScenes& scenes,
                         const ChosenBands& chosen, const Extraction& extraction, const Listener& listener) {
  TrainingSource source;
  source.scene_bands = static_cast<Index>(scene.source->bands().size());
  source.bands = extraction.bands;
  source.band_table = values_at(scene.source->bands(), extraction.bands);
  source.dropped_bands = dropped_bands(chosen, extraction);
  for (const auto& [role, path] : inputs) {
    if (role == "labels") {
      source.inputs.push_back(label_file(path));
    } else if (role == "scene" || role == "library" || role == "mask") {
      source.inputs.push_back({path, scenes.bytes_of(path)});
    }
  }
  for (InputFile& input : source.inputs) {
    input.path = listener.with_names(input.path);
  }
  source.trained = scenes.trained(extraction.samples);
  for (TrainedScene& trained : source.trained) {
    trained.path = listener.with_names(trained.path);
  }
  return source;
}

// A class of few samples has directions that follow them too closely. Where regions that were left out have chosen how
// much the directions count, nothing is to be done about it.
void warn_of_large_dimensions(const Model& model, Listener& listener) {
  if (!model.scan.empty()) {
    return;
  }
  // The warning proposes the largest number of directions that leaves four samples for each of them.
  constexpr Index kSamplesPerDirection = 4;
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    const BinaryClassifier& classifier = model.classifiers[c];
    if (kSamplesPerDirection * classifier.metric.weights.size() > classifier.samples) {
      listener.warn("dimension-too-large",
                    "class '" + model.classes[c].name + "' has " + std::to_string(classifier.metric.weights.size()) +
                        " directions from " + std::to_string(classifier.samples) +
                        " samples; fewer directions, as with --dimension fixed:" +
                        std::to_string(std::max<Index>(1, classifier.samples / kSamplesPerDirection)) +
                        ", may be better");
    }
  }
}

void warn_of_trivial_classifiers(const TrainOptions& options, const Model& model, Listener& listener) {
  const Index samples = total(model.classifiers, &BinaryClassifier::samples);
  const Indices trivial = indices_where(model.classifiers.size(), [&](std::size_t c) {
    const BinaryClassifier& classifier = model.classifiers[c];
    return is_trivial(classifier.selection.value, classifier.samples, samples);
  });
  if (options.training.criterion == CriterionKind::radius_margin && !trivial.empty()) {
    const std::vector<std::string> names = class_names(values_at(model.classes, trivial));
    listener.warn(
        "trivial-classifiers",
        std::to_string(names.size()) + " of " + std::to_string(model.classes.size()) +
            " classes have a radius-margin bound no lower than that of a classifier that finds nothing of its "
            "class: " +
            shortened(names, 5) + "; the criterion leave-one-out may do better");
  }
}

// Trains and validates with the same options.
class ModelTraining {
 public:
  // `samples` have the units of their labels.
  ModelTraining(const TrainOptions& options, const TrainingScenes& scenes, const SampleSet& samples, Listener& listener)
      : options_(options),
        scenes_(scenes),
        places_(samples.places),
        listener_(listener),
        allowed_(options.ram_bytes.value_or(physical_memory_bytes())),
        design_(fold_design(options)) {}

  // `units` are those of the samples, if they were matched to the map.
  [[nodiscard]] std::optional<Validation> validate(const SampleSet& samples,
                                                   const std::optional<UnitDesign>& units) const {
    if (!design_) {
      return std::nullopt;
    }
    FoldDesign design = *design_;
    const bool by_units = design.grouping.empty() && units;
    if (design.grouping.empty()) {
      design.grouping = units ? units->unit : "regions";
    }
    const double buffer = design.buffer;
    const PixelPositions positions =
        buffer > 0 ? scenes_.where().positions(pixels_of(samples.places), buffer) : PixelPositions();
    return validate_training(design, samples, by_units ? samples.places : places_, positions, fitted_to(samples),
                             options_.training.threads, allowed_, listener_);
  }

  [[nodiscard]] Model train(const SampleSet& samples, const TrainingSource& source) const {
    return train_one_vs_all(samples, source, prepared(samples), listener_.progress("training"));
  }

  // The options of a training on these samples, which is said to begin.
  [[nodiscard]] TrainingOptions prepared(const SampleSet& samples) const {
    const TrainingOptions training = fitted_to(samples);
    const Index features = samples.profiles.cols();
    listener_.message("training " + std::to_string(samples.classes.size()) + " classes on " +
                      std::to_string(samples.size()) + " pixels with " + counted(samples.spectra.cols(), "band") +
                      (features > 0 ? " and " + std::to_string(features) + " features of profiles" : ""));
    if (const Index centres = centre_count(samples.size(), training); centres > 0) {
      listener_.message("the classifiers of all classes share about " + std::to_string(centres) +
                        " of the pixels as centres of their kernels (--centres)");
    }
    return training;
  }

 private:
  // With as many classes in work as memory allows.
  [[nodiscard]] TrainingOptions fitted_to(const SampleSet& samples) const {
    TrainingOptions training = options_.training;
    // Kernel matrices of classes that are trained side by side are in memory together. The number has no influence on
    // the model.
    training.classes_at_once =
        classes_at_once(samples.size(), samples.spectra.cols(), samples.profiles.cols(), training, allowed_);
    return training;
  }

  const TrainOptions& options_;
  const TrainingScenes& scenes_;
  std::vector<SamplePlace> places_;
  Listener& listener_;
  std::int64_t allowed_;
  std::optional<FoldDesign> design_;
};

Model train_model(const TrainOptions& options, SampleSet& samples, const TrainingScenes& scenes, TrainingSource source,
                  Listener& listener) {
  const ModelTraining training(options, scenes, samples, listener);
  std::optional<MatchedUnits> matched = match_training_units(options, scenes, source.bands, samples, listener);
  if (matched) {
    source.units = matched->design;
  }
  const Matrix columns(0, samples.spectra.cols());
  listener.plan(training_stages(options, {columns, samples.labels, samples.places, samples.classes.size()}));
  Model model;
  // With profiles, the training itself decides whether they are kept. The validation follows, because its folds have to
  // be trained with the same features: `samples` has lost the profiles if they were not kept. Without profiles the
  // order does not matter, and the validation is part of the source of the model.
  if (options.spatial.wants_profiles()) {
    SpatialTraining spatial(options, scenes.source(), source.bands, listener);
    model = spatial.train(
        samples, std::move(source), [&](const SampleSet& profiled) { return training.prepared(profiled); }, listener);
    model.provenance.validation = training.validate(samples, model.provenance.units);
  } else {
    source.validation = training.validate(samples, source.units);
    model = training.train(samples, source);
    if (options.spatial.rule() == SpatialRule::neighbours) {
      model.spatial = SpatialRecord{to_string(options.spatial.rule()), {false, true}};
    }
  }
  warn_of_large_dimensions(model, listener);
  warn_of_trivial_classifiers(options, model, listener);
  expect_accuracy(options, scenes, samples, matched ? matched->others : std::vector<NamedUnits>(), model);
  return model;
}

TrainingRecord record_of(const TrainOptions& options, const TrainingScenes& scenes, const TrainingSamples& data) {
  TrainingRecord record;
  record.scene = options.scene.path;
  record.labels = options.labels.files;
  record.scenes = has_scene(options) ? scenes.records(data.extraction.samples) : std::vector<TrainingSceneRecord>();
  record.libraries = options.library.files;
  record.samples_out = options.samples_out;
  record.model = options.model;
  record.report = options.report;
  record.invalid_pixels = data.extraction.invalid_pixels;
  record.conflicting_pixels = data.labelled.conflicting;
  record.outside_features = data.labelled.outside;
  return record;
}

TestPart take_test_part(const TrainOptions& options, TrainingScenes& scenes, LabelledPixels& labelled,
                        Listener& listener) {
  if (!labelled.has_regions) {
    find_regions(labelled, scenes.source().grid().width);
  }
  const double apart = options.test.by ? test_block_size(*options.test.by) : 0;
  const PixelPositions positions = scenes.where().positions(pixels_of(places_of(labelled)), apart);
  return take_test_pixels(options.test, options.training.seed, positions, labelled, listener,
                          scenes.where().pixel_width(positions), scenes.several());
}

// The labels of the scenes, without those that are kept apart for testing.
LabelledPixels read_labels(const TrainOptions& options, TrainingScenes& scenes, TestPart& test, Listener& listener) {
  LabelledPixels labelled = scenes.several() ? scenes.take_labels() : read_training_labels(options, scenes.source());
  if (options.test.share) {
    test = take_test_part(options, scenes, labelled, listener);
  }
  return labelled;
}

// Where there is a scene, its labelled pixels are read first, and decide on the bands.
TrainingSamples read_samples(const TrainOptions& options, TrainingScenes& scenes, const ChosenBands& chosen,
                             std::optional<LabelledLibrary> library, TestPart& test, Listener& listener) {
  SceneSource& source = scenes.source();
  if (!has_scene(options)) {
    TrainingSamples data = read_training_samples(options, std::move(library->labelled), source, chosen.bands, listener);
    for (SamplePlace& place : data.extraction.samples.places) {
      // The pixels are rows of the libraries, which are no places.
      place.unit = library->kept.empty() ? place.unit : library->kept[static_cast<std::size_t>(place.pixel)];
      place.pixel = SamplePlace::kNoPixel;
    }
    return data;
  }
  LabelledPixels labelled = read_labels(options, scenes, test, listener);
  TrainingSamples data = read_training_samples(options, std::move(labelled), source, chosen.bands, listener,
                                               library ? &library->labelled : nullptr);
  if (scenes.several()) {
    scenes.check_samples(data.extraction.samples);
  }
  if (library) {
    join_library(*library, source, data.labelled.named_by_text, data.extraction, said_to(listener));
    colour_classes(data.extraction.samples.classes, options.colour_rules);
  }
  return data;
}

}  // namespace

// The options as they are used. Everything that can be refused without opening a file is refused here.
static TrainOptions usable(const TrainOptions& asked, Listener& listener) {
  check_training_options(asked.training);
  TrainOptions options = resolved(asked, listener);
  check_library_options(options);
  check_spatial_options(options, listener);
  return options;
}

static std::optional<LabelledLibrary> read_libraries(const TrainOptions& options, Listener& listener) {
  return options.library.files.empty() ? std::nullopt
                                       : std::optional(read_labelled_libraries(options.library, said_to(listener)));
}

static InputScene open_first(const TrainOptions& options, const std::optional<LabelledLibrary>& library,
                             Listener& listener) {
  InputScene scene = has_scene(options) ? open_input_scene(options.scene, listener) : input_of(library->library);
  warn_of_own_output(options.scene.path, listener);
  return scene;
}

namespace {

// A training before its labels are read. The order of the steps: everything that can be refused without reading pixels
// is refused first; outputs are staged before the samples are read; bands are chosen before the samples, which are read
// in these bands only.
struct TrainingStart {
  TrainingStart(const TrainOptions& asked, Listener& listener, bool dry = false)
      : job(asked, listener, dry),
        options(usable(asked, listener)),
        library(read_libraries(options, listener)),
        scene(open_first(options, library, listener)),
        scenes(scene, options, listener) {
    // All inputs are registered before an output is staged, so that no output can replace a file that is still to be
    // read.
    add_listed_inputs(job, options);
    outputs.emplace(job, options);
    refuse_other_kind(options.model, Argument::model_to_write);
    check_model_name(options.model);
    chosen = has_scene(options) ? scenes.prepare(choose_scene_bands(scene, options.bands, listener), listener)
                                : choose_library_bands(library->library, *scene.source, options.bands);
  }

  Job job;
  TrainOptions options;
  std::optional<LabelledLibrary> library;
  InputScene scene;
  TrainingScenes scenes;
  std::optional<TrainOutputs> outputs;
  ChosenBands chosen;
};

}  // namespace

DryRunRecord preview_training(const TrainOptions& asked, Listener& listener) {
  TrainingStart start(asked, listener, true);
  const TrainOptions& options = start.options;
  SceneSource& source = start.scenes.source();
  TestPart test;
  LabelledPixels labelled =
      has_scene(options) ? read_labels(options, start.scenes, test, listener) : std::move(start.library->labelled);
  const LabelledPixels* library = has_scene(options) && start.library ? &start.library->labelled : nullptr;
  const auto bands = std::ssize(start.chosen.bands);
  const PlannedTraining plan = plan_training(options, std::move(labelled), source, bands, listener, library);
  const std::int64_t pixels = source.grid().pixels();
  constexpr std::int64_t kValueBytes = sizeof(float);
  DryRunRecord record = start.job.preview(asked, pixels * bands * kValueBytes);
  record.columns = has_scene(options) ? source.grid().width : 0;
  record.rows = has_scene(options) ? source.grid().height : 0;
  record.bands = bands;
  record.classes = plan.classes;
  record.pixels = total(plan.classes, &ClassPixels::pixels);
  TrainingOptions training = options.training;
  const std::int64_t allowed = options.ram_bytes.value_or(physical_memory_bytes());
  training.classes_at_once = classes_at_once(record.pixels, bands, 0, training, allowed);
  record.memory_bytes += kKeptMemory + std::max(training_bytes(record.pixels, bands, training),
                                                std::min(work_bytes(options), pixels * bands * kValueBytes));
  for (const PlannedPhase& stage : plan.stages) {
    record.stages.emplace_back(stage.name, stage.expected);
    record.seconds += stage.expected;
  }
  return record;
}

TrainResult train_scene(const TrainOptions& asked, Listener& listener) {
  TrainingStart start(asked, listener);
  auto& [job, options, library, scene, scenes, outputs, chosen] = start;
  const RasterGrid& grid = scene.source->grid();
  const std::vector<NamedInput> inputs = roles_and_paths(job.inputs());
  TestPart test;
  TrainingSamples data = read_samples(options, scenes, chosen, std::move(library), test, listener);
  SampleSet& samples = data.extraction.samples;
  leave_out_outliers(samples, scenes, listener);
  const ValueRange range = training_range(samples, scene, data.extraction.bands, listener);
  if (has_scene(options) && !scenes.several()) {
    screen_nodata(scene, range);
  }
  TrainingRecord record = record_of(options, scenes, data);
  if (outputs->test != nullptr) {
    record.test = test.record;
  }
  job.end_stage(record, "read");
  TrainingSource source = source_of(inputs, scene, scenes, chosen, data.extraction, listener);
  // The options are stored as the user gave them, not as they were resolved; trained_with() reads them again.
  source.options = kept_settings(asked, listener);
  Model model = train_model(options, samples, scenes, source, listener);
  model.value_range = range;
  if (model.origins) {
    name_features(options, data.labelled, samples, listener, *model.origins);
  }
  job.end_stage(record, "train");
  if (job.has_page()) {
    job.write_page(train_report(
        model, record, {samples, scenes.source(), grid, options.training, inputs, job.date(), has_scene(options)}));
  }
  if (outputs->samples != nullptr) {
    write_samples(*outputs->samples, samples, source, scenes.where().places_of(pixels_of(samples.places)));
  }
  if (outputs->test != nullptr) {
    write_labelled_points(*outputs->test, test.labelled, test.units,
                          scenes.where().places_of(pixels_of(places_of(test.labelled))));
  }
  if (outputs->model != nullptr) {
    write_text(*outputs->model, model_bytes(model));
  }
  job.publish(record);
  return {std::move(model), std::move(record)};
}

}  // namespace parsimap
