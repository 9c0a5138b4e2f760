#include "label_session.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/early_stages.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/options/command_line.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/nodata_screen.hpp"

#include "../job_frame.hpp"
#include "../training/feature_names.hpp"
#include "../training/train_options.hpp"
#include "../training/training_samples.hpp"
#include "../training/training_scenes.hpp"
#include "session_findings.hpp"

namespace parsimap {

namespace {

constexpr const char* kLabelsName = "labels of the session";
constexpr const char* kClassField = "class";

// Labelled pixels that warm models are trained on at most, and of a class at least.
constexpr Index kWarmSamples = 1000;
constexpr Index kLeastWarm = 20;
// About how many pixels early stages of a warm model are compared on, and views that are worth it.
constexpr Index kStagePixels = 5000;
constexpr Index kLargeView = 32768;
// Values of pixels that are in work at the same time.
constexpr Index kValuesInWork = Index{1} << 23U;
constexpr Index kProbabilitiesInWork = Index{1} << 26U;

// Options of `train` that say what a model of one scene and labels of the session is.
std::vector<OptionSyntax> session_options(const CommandSyntax& syntax) {
  static const std::vector<std::string> others = {"scene",       "scenes",     "library",     "labels",
                                                  "class-field", "test-share", "other-scenes"};
  return filtered(all_options(syntax), [](const OptionSyntax& option) {
    return option.effect == Effect::result && !option.file.written &&
           std::ranges::find(others, option.name) == others.end();
  });
}

TrainOptions train_options(const Answer& request, const JobOptions& job) {
  TrainOptions options;
  static_cast<JobOptions&>(options) = job;
  CommandSyntax syntax = work_syntax(options);
  GivenValues values;
  if (request.contains("options")) {
    values.options = read_options(request["options"].dump(), "options", session_options(syntax));
  }
  store_checked(syntax, values, {"SCENE", "LABELS", "MODEL"});
  options.scene.path = request.at("scene");
  options.labels.options.class_field = kClassField;
  check_training_options(options.training);
  return options;
}

Answer classes_of(const ClassTable& classes, const std::vector<Index>& pixels) {
  Answer list = Answer::array();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    list.push_back({{"code", classes[c].code}, {"name", classes[c].name}, {"pixels", pixels[c]}});
  }
  return list;
}

}  // namespace

std::string SessionListener::with_names(std::string text) const {
  const std::size_t found = labels_path.empty() ? std::string::npos : text.find(labels_path);
  return found == std::string::npos ? text : text.replace(found, labels_path.size(), kLabelsName);
}

LabelSession::Opened& LabelSession::opened() {
  if (!opened_) {
    throw ConfigError("no scene is open; the request open comes first");
  }
  return *opened_;
}

TrainedSession& LabelSession::trained() {
  static_cast<void>(opened());
  if (!trained_) {
    throw ConfigError("there is no model; the request train comes first");
  }
  return *trained_;
}

Answer LabelSession::open(const Answer& request) {
  Opened next;
  next.asked = train_options(request, job_);
  next.input = open_input_scene(next.asked.scene, listener_);
  warn_of_own_output(next.asked.scene.path, listener_);
  next.chosen = choose_scene_bands(next.input, next.asked.bands, listener_);
  const int threads = thread_count(job_);
  next.kept = std::make_shared<KeptScene>(std::shared_ptr<SceneSource>(std::move(next.input.source)), next.chosen.bands,
                                          work_bytes(job_), threads);
  next.labelled = std::make_unique<LabelledScene>(next.kept, next.chosen.bands);
  opened_ = std::move(next);
  labels_ = {};
  labelled_ = {};
  choice_.reset();
  spatial_.reset();
  neighbours_ = {};
  trained_.reset();
  const RasterGrid& grid = opened_->kept->grid();
  Answer answer = {{"width", grid.width}, {"height", grid.height}, {"bands", opened_->chosen.bands.size()}};
  answer["wavelengths"] = wavelengths_of(opened_->kept->bands(), opened_->chosen.bands);
  answer["geotransform"] = grid.geotransform ? Answer(*grid.geotransform) : Answer();
  answer["crs"] = grid.crs;
  return answer;
}

TrainOptions LabelSession::options_with(const std::string& labels_path) {
  TrainOptions options = opened().asked;
  options.labels.files = {labels_path};
  return options;
}

Answer LabelSession::change_labels(const Answer& request) {
  const RasterGrid& grid = opened().kept->grid();
  LabelStore changed = labels_;
  changed.change(request, grid);
  LabelledPixels labelled;
  if (!changed.empty()) {
    const MemoryLabels file(changed.document(grid));
    listener_.labels_path = file.path();
    labelled = read_training_labels(options_with(file.path()), *opened().kept);
    opened().labelled->add(labelled.pixels, listener_.progress("reading labelled pixels"));
  }
  labels_ = std::move(changed);
  labelled_ = std::move(labelled);
  Answer answer = {{"features", labels_.size()}, {"pixels", labelled_.pixels.size()}};
  answer["conflicting"] = labelled_.conflicting;
  answer["outside"] = labelled_.outside;
  answer["classes"] = classes_of(labelled_.classes, class_sizes(labelled_));
  return answer;
}

TrainedSession LabelSession::warm_training(const std::optional<MetricSelection>& known) {
  Opened& scene = opened();
  TrainedSession result;
  result.labels = labels_;
  result.document = labels_.document(scene.kept->grid());
  TrainOptions options = resolved(options_with(kLabelsName), listener_);
  options.training.criterion = CriterionKind::leave_one_out;
  // Boundaries between reading and fitting are those of train_scene().
  TrainingSamples data = read_training_samples(options, labelled_, *scene.labelled, scene.chosen.bands, listener_);
  SampleSet& samples = data.extraction.samples;
  samples = without_outliers(samples, outlying_samples(samples));
  if (samples.size() > kWarmSamples) {
    samples = subset(samples, draw_stratified(samples.labels, samples.classes.size(), kWarmSamples, kLeastWarm,
                                              options.training.seed));
  }
  ClassTrainer trainer(samples, options.training);
  MetricSelection choice = known ? *known : trainer.quick_metric(listener_.progress("choosing the metric"));
  if (class_names(samples.classes) != choice_classes_) {
    // What combines the decision values of other classes means nothing here.
    choice.judgement.combination = Matrix();
    choice.judgement.scores = {};
  }
  TrainingSource source;
  source.scene_bands = std::ssize(scene.kept->bands());
  source.bands = data.extraction.bands;
  source.band_table = values_at(scene.kept->bands(), source.bands);
  // Places alone ask for novelty.
  result.model = fit_model(design_model(trainer, source, choice), trainer, listener_.progress("training"), false);
  result.model.value_range = range_of_values(samples.spectra, source.band_table);
  result.model.spatial = spatial_;
  if (result.model.origins) {
    name_features(options, data.labelled, samples, listener_, *result.model.origins);
  }
  result.samples = std::move(samples);
  result.labelled = std::move(data.labelled);
  if (!known) {
    choice_ = std::move(choice);
    choice_classes_ = class_names(result.samples.classes);
  }
  return result;
}

Model LabelSession::full_training(const std::string& document) {
  const MemoryLabels file(document);
  listener_.labels_path = file.path();
  return train_scene(options_with(file.path()), listener_).model;
}

Answer LabelSession::train(const Answer& request) {
  const RasterGrid& grid = opened().kept->grid();
  if (labels_.empty()) {
    throw ConfigError("there are no labels; the request labels comes first");
  }
  if (request.value("full", false)) {
    Model full = full_training(labels_.document(grid));
    std::optional<MetricSelection> choice = selection_of(full);
    TrainedSession result = warm_training(choice ? choice : choice_);
    if (profile_features(full) > 0) {
      result.spectral = std::move(result.model);
    }
    result.model = std::move(full);
    result.full = true;
    neighbours_ = neighbours_of(result.model);
    spatial_ = result.model.spatial;
    if (choice) {
      choice_ = std::move(choice);
      choice_classes_ = class_names(result.model.classes);
    }
    trained_ = std::move(result);
  } else {
    trained_ = warm_training(choice_);
  }
  TrainedSession& now = *trained_;
  now.tables = std::make_unique<Predictor>(now.model);
  Answer answer = {{"full", now.full}, {"pixels", now.samples.size()}, {"support", now.model.support_spectra.rows()}};
  answer["classes"] = classes_of(now.model.classes, class_counts(now.samples));
  return answer;
}

Window LabelSession::window_of(const Answer& request) {
  const RasterGrid& grid = opened().kept->grid();
  if (!request.contains("window")) {
    return {0, 0, grid.width, grid.height};
  }
  const Answer& numbers = request["window"];
  const Window window = {numbers[0], numbers[1], numbers[2], numbers[3]};
  if (window.width < 1 || window.height < 1 || window.column + window.width > grid.width ||
      window.row + window.height > grid.height) {
    throw ConfigError("window is " + numbers.dump() + "; it must have pixels and lie inside the scene of " +
                      std::to_string(grid.width) + " columns and " + std::to_string(grid.height) + " rows");
  }
  return window;
}

std::unique_ptr<SceneSource> LabelSession::screened(std::unique_ptr<SceneSource> scene, const Model& model) {
  InputScene view;
  view.input = opened().asked.scene;
  view.description = opened().input.description;
  view.source = std::move(scene);
  if (model.value_range) {
    screen_nodata(view, *model.value_range);
  }
  return std::move(view.source);
}

void LabelSession::for_each_rows(const Window& window, Index step, const Model& model, const std::string& stage,
                                 const std::function<void(Index row, const Spectra& spectra)>& use) {
  const Progress progress = listener_.progress(stage);
  const Index width = part_count(window.width, step);
  const Index height = part_count(window.height, step);
  const std::vector<Window> strips = row_strips({0, 0, width, height}, kValuesInWork / values_of_pixel(model));
  const std::shared_ptr<KeptScene>& kept = opened().kept;
  Spectra values;
  if (profile_features(model) == 0) {
    const auto view = screened(std::make_unique<ViewScene>(kept, window, step), model);
    const Indices bands = match_bands(*kept, model);
    for (const Window& strip : strips) {
      view->read(strip, bands, values);
      use(strip.row, values);
      report_done(progress, strip.row + strip.height, height);
    }
    return;
  }
  // Profiles are those of the pixels of the scene around each pixel, whatever the step.
  const auto whole = screened(std::make_unique<SceneDecorator>(kept), model);
  ModelScene scene(*whole, model, pixel_metres(kept->grid()), work_bytes(job_), thread_count(job_));
  for (Spectra all; const Window& strip : strips) {
    values.resize(strip.pixels(), values_of_pixel(model));
    for (Index i = 0; i < strip.height; ++i) {
      scene.source().read({window.column, window.row + (strip.row + i) * step, window.width, 1}, scene.bands(), all);
      for (Index k = 0; k < width; ++k) {
        values.row(i * width + k) = all.row(k * step);
      }
    }
    use(strip.row, values);
    report_done(progress, strip.row + strip.height, height);
  }
}

void LabelSession::find_stages(const Window& window) {
  TrainedSession& now = trained();
  now.stages_tried = true;
  // In which step so many pixels are enough.
  const auto step_of = [](Index pixels) {
    const double share = static_cast<double>(pixels) / static_cast<double>(kStagePixels);
    return std::max<Index>(1, static_cast<Index>(std::sqrt(share)));
  };
  Spectra drawn;
  const auto draw = [&](Index step) {
    drawn.resize(0, values_of_pixel(now.model));
    for_each_rows(window, step, now.model, "comparing early stages", [&](Index, const Spectra& values) {
      const Indices valid = indices_where(values.rows(), [&](Index i) { return values.row(i).allFinite(); });
      const Index before = drawn.rows();
      drawn.conservativeResize(before + std::ssize(valid), Eigen::NoChange);
      drawn.bottomRows(std::ssize(valid)) = values(valid, Eigen::all);
    });
  };
  const Index step = step_of(window.pixels());
  draw(step);
  // Where some of the pixels have no value, in smaller steps; where most have none, the view is small.
  const Index found = drawn.rows();
  if (found < kFewestStagePixels && 4 * found > kFewestStagePixels) {
    draw(step_of(step * step * found));
  }
  Spectra decisions;
  const int threads = thread_count(job_);
  now.tables->decision_values(drawn, threads, decisions);
  now.model.early_stages = early_stages(now.model, drawn, decisions, threads);
  now.tables->take_early_stages();
}

MappingOptions LabelSession::neighbours_of(const Model& model) {
  const std::shared_ptr<KeptScene>& kept = opened().kept;
  MappingOptions options{
      .ram_bytes = work_bytes(job_), .threads = thread_count(job_), .pixel_metres = pixel_metres(kept->grid())};
  set_regularisation(model, std::nullopt, options);
  options.regularisation =
      resolve_regularisation(*screened(std::make_unique<SceneDecorator>(kept), model), model, options);
  return options;
}

void LabelSession::append_with_neighbours(const Window& window, ViewMap& map) {
  const TrainedSession& now = trained();
  const RasterGrid& grid = opened().kept->grid();
  const Index reach = gaussian_reach(neighbours_.regularisation.sigma);
  const Window seen =
      overlap({window.column - reach, window.row - reach, window.width + 2 * reach, window.height + 2 * reach},
              {0, 0, grid.width, grid.height});
  PixelBlock block(seen.width, seen.height, std::ssize(now.model.classes), reach);
  block.reset(seen);
  for_each_rows(seen, 1, now.model, "classifying", [&](Index row, const Spectra& spectra) {
    const Window part{seen.column, seen.row + row, seen.width, spectra.rows() / seen.width};
    fill_probabilities(now.model, *now.tables, part, spectra, neighbours_.threads, block);
  });
  append_block(now.model, block, window, neighbours_, map);
}

Answer LabelSession::classify(const Answer& request, std::string& frame) {
  TrainedSession& now = trained();
  const Window window = window_of(request);
  const Index step = request.value("step", Index{1});
  const Index width = part_count(window.width, step);
  const Index height = part_count(window.height, step);
  if (!now.full && !now.stages_tried && width * height >= kLargeView) {
    find_stages(window);
  }
  const Model& model = now.model;
  ViewMap map;
  if (step == 1 && neighbours_.regularisation.method != RegularisationMethod::none) {
    // In strips, as a block holds the probabilities of all its pixels.
    for (const Window& strip : row_strips(window, kProbabilitiesInWork / std::ssize(model.classes))) {
      append_with_neighbours(strip, map);
    }
  } else {
    for_each_rows(window, step, model, "classifying", [&](Index, const Spectra& spectra) {
      append_pixels(model, *now.tables, spectra, thread_count(job_), map);
    });
  }
  const int bytes = model.classes.back().code > 255 ? 2 : 1;
  for (const std::uint16_t code : map.codes) {
    for (int byte = 0; byte < bytes; ++byte) {
      frame.push_back(static_cast<char>(code >> (8 * byte)));
    }
  }
  frame.append(map.confidences.begin(), map.confidences.end());
  Answer answer = {{"width", width}, {"height", height}, {"step", step}};
  answer["window"] = {window.column, window.row, window.width, window.height};
  answer["classes"] = classes_of(model.classes, class_counts(now.samples));
  answer["label_bytes"] = bytes;
  return answer;
}

const Matrix& LabelSession::left_out() {
  TrainedSession& now = trained();
  if (now.left_out.size() == 0) {
    now.left_out = left_out_values(now, opened().asked.training.seed, thread_count(job_),
                                   listener_.progress("classifying labels without their features"));
  }
  return now.left_out;
}

Answer LabelSession::accuracy() { return accuracy_of(trained(), left_out()); }

Answer LabelSession::suspects(const Answer& request) {
  return suspects_of(trained(), left_out(), opened().kept->grid(), request.value("count", Index{20}));
}

Answer LabelSession::places(const Answer& request) {
  PlaceOptions options;
  options.ram_bytes = work_bytes(job_);
  options.threads = thread_count(job_);
  TrainedSession& now = trained();
  if (Model& judged = now.spectral ? *now.spectral : now.model; judged.novelty.empty()) {
    TrainingOptions training = opened().asked.training;
    training.threads = options.threads;
    judged.novelty = novelty_of(now.samples, judged.scaling.apply(now.samples.spectra), training);
  }
  return places_in(now, opened().kept, window_of(request), request.value("count", Index{20}), options,
                   listener_.progress("searching places"));
}

Answer LabelSession::pixel(const Answer& request) {
  TrainedSession& now = trained();
  const RasterGrid& grid = opened().kept->grid();
  const Index column = request.at("column");
  const Index row = request.at("row");
  if (column >= grid.width || row >= grid.height) {
    throw ConfigError("the pixel at column " + std::to_string(column) + ", row " + std::to_string(row) +
                      " lies outside of the scene of " + std::to_string(grid.width) + " columns and " +
                      std::to_string(grid.height) + " rows");
  }
  if (now.model.origins && now.usual.size() == 0) {
    const auto whole = screened(std::make_unique<SceneDecorator>(opened().kept), now.model);
    ModelScene scene(*whole, now.model, pixel_metres(grid), work_bytes(job_), thread_count(job_));
    now.usual = usual_terms(scene, now.model, *now.tables, thread_count(job_));
  }
  Answer answer;
  for_each_rows({column, row, 1, 1}, 1, now.model, "reading",
                [&](Index, const Spectra& spectrum) { answer = pixel_of(now, spectrum, thread_count(job_)); });
  return answer;
}

Answer LabelSession::save(const Answer& request) {
  TrainedSession& now = trained();
  if (!now.full) {
    throw ConfigError("the model is one for a view; train with \"full\": true makes one to save");
  }
  const std::string path = request.at("model");
  const std::string labels = request.at("labels");
  if (!path.ends_with(".parsimap") || !labels.ends_with(".geojson")) {
    throw ConfigError("model is '" + path + "' and labels is '" + labels +
                      "'; they must end in .parsimap and .geojson");
  }
  OutputSet outputs(request.value("overwrite", false));
  const SceneInput& scene = opened().asked.scene;
  add_inputs(outputs, "scene", scene.path);
  if (scene.mask) {
    add_inputs(outputs, "mask", *scene.mask);
  }
  const StagedOutput& staged = outputs.stage("model", path);
  const StagedOutput& staged_labels = outputs.stage("labels", labels);
  // The model says of its labels what that of the command says that reads them from this file.
  Model model = now.model;
  for (InputFile& input : model.provenance.inputs) {
    if (input.path == kLabelsName) {
      Sha256 sum;
      sum.update(now.document);
      input = {labels, static_cast<std::int64_t>(now.document.size()), sum.digits()};
    }
  }
  if (model.origins) {
    std::ranges::replace(model.origins->files, kLabelsName, labels);
  }
  write_text(staged, model_bytes(model));
  write_text(staged_labels, now.document);
  outputs.publish();
  return {{"model", path}, {"labels", labels}};
}

}  // namespace parsimap
