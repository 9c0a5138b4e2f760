#include "parsimap/classifier/train.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/selection/metric_selection.hpp"
#include "parsimap/svm/l2_svm.hpp"
#include "parsimap/svm/linear_systems.hpp"
#include "parsimap/validation/left_out_evaluation.hpp"

#include "centre_training.hpp"
#include "class_novelty.hpp"

namespace parsimap {
namespace {

// Samples that novelty is learnt from where there are so many that classifiers share centres, and of each class at
// least.
constexpr Index kNoveltySamples = 200000;
constexpr Index kNoveltySamplesOfClass = 2000;

// What is chosen for the classifiers of all classes, and how such classifiers classified samples that were left out.
struct Choices {
  std::vector<ClassChoice> classes;
  Judgement judgement;
  MetricShape shape = {};
  std::vector<ShapeScore> scan = {};
  std::optional<ProfileScore> profile = {};
};

// The model of a choice, complete but for what is fitted to all samples.
Model described_model(const ClassTrainer& trainer, const TrainingSource& source, Choices choices) {
  const SampleSet& samples = trainer.samples();
  Model model;
  model.classes = samples.classes;
  model.family = trainer.options().family;
  model.scene_bands = source.scene_bands;
  model.bands = source.bands;
  model.band_table = source.band_table;
  model.dropped_bands = source.dropped_bands;
  if (choices.classes.front().metric.profile.features > 0) {
    model.profile = source.profile;
  }
  model.scaling_rule = trainer.scaling_rule();
  model.scaling = trainer.scaling();
  model.class_weights = trainer.class_weights();
  for (std::size_t c = 0; c < choices.classes.size(); ++c) {
    model.classifiers.push_back(described_classifier(samples, static_cast<int>(c), choices.classes[c]));
  }
  model.combination = std::move(choices.judgement.combination);
  model.softmax_slope = choices.judgement.softmax_slope;
  model.own_probabilities = std::move(choices.judgement.own_probabilities);
  model.shape = choices.shape;
  model.scan = std::move(choices.scan);
  model.profile_score = choices.profile;
  model.provenance = {PARSIMAP_VERSION,  source.options, trainer.options().seed,
                      source.inputs,     samples.size(), std::move(choices.judgement.scores),
                      source.validation, source.trained, source.units};
  return model;
}

// The spectra that support any of the classifiers are shared by all. Returns their rows among the samples.
Indices share_support(Model& model, const ClassTrainer& trainer) {
  // Mark the samples that support any classifier, number them in their order, and let the classifiers point to the
  // numbers.
  std::vector<Index> position(static_cast<std::size_t>(trainer.samples().size()), -1);
  for (const BinaryClassifier& classifier : model.classifiers) {
    for (const Index i : classifier.support) {
      position[static_cast<std::size_t>(i)] = 0;
    }
  }
  Indices union_rows;
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (position[i] == 0) {
      position[i] = static_cast<Index>(union_rows.size());
      union_rows.push_back(static_cast<Index>(i));
    }
  }
  model.support_spectra = trainer.columns(model.classifiers.front().metric)(union_rows, Eigen::all);
  for (BinaryClassifier& classifier : model.classifiers) {
    for (Index& row : classifier.support) {
      row = position[static_cast<std::size_t>(row)];
    }
  }
  return union_rows;
}

// `rows` are those of the support spectra among the samples. A coefficient is y_i C_i max(0, 1 - y_i f_i): of equal
// samples each has the share of its penalty in it, and these differ by weights only, as all are of one class.
std::optional<SupportOrigins> support_origins(const ClassTrainer& trainer, const ClassMetric& metric,
                                              const Indices& rows) {
  const SampleSet& samples = trainer.samples();
  const auto place = [&](std::size_t i) { return samples.places[i].region; };
  std::map<std::int64_t, Index> features;  // by region
  SupportOrigins origins;
  origins.files = {""};
  for (std::size_t i = 0; i < samples.places.size(); ++i) {
    if (features.emplace(place(i), origins.features()).second) {
      origins.number.push_back(place(i));
      origins.label.push_back(samples.labels[i]);
    }
  }
  if (features.size() < 2) {
    return std::nullopt;
  }
  origins.file.assign(origins.number.size(), 0);
  origins.part.assign(origins.number.size(), 1);
  const DistinctSamples distinct = distinct_samples(trainer.columns(metric), samples.labels);
  std::map<Index, std::map<Index, double>> shares;  // of each support spectrum by feature
  for (const Index row : rows) {
    shares[distinct.place[static_cast<std::size_t>(row)]];
  }
  for (std::size_t i = 0; i < distinct.place.size(); ++i) {
    if (const auto one = shares.find(distinct.place[i]); one != shares.end()) {
      one->second[features[place(i)]] += samples.weights.size() > 0 ? samples.weights(static_cast<Index>(i)) : 1;
    }
  }
  std::vector<double> all;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    const auto& of_support = shares[distinct.place[static_cast<std::size_t>(rows[s])]];
    const double sum = total(of_support, [](const auto& one) { return one.second; });
    for (const auto& [feature, weight] : of_support) {
      origins.support.push_back(static_cast<Index>(s));
      origins.origin.push_back(feature);
      all.push_back(weight / sum);
    }
  }
  origins.share = Vector::Map(all.data(), std::ssize(all));
  return origins;
}

constexpr const char* kDescents = "descents";
constexpr const char* kChoice = "choice";
constexpr const char* kFits = "fits";
constexpr const char* kNovelty = "novelty";

// The steps of a training and about how many seconds they take: two of its design, and two of its fit.
constexpr std::size_t kDesignSteps = 2;

std::vector<PlannedPhase> training_steps(const LabelledSpectra& samples, const TrainingWork& work,
                                         const TrainingOptions& options) {
  // A descent takes about so many times as long as what is expected of it.
  constexpr double kDescentTime = 2;
  std::vector<PlannedPhase> steps = {{kDescents, kDescentTime * work.descent * static_cast<double>(work.fits.size())},
                                     {kChoice, work.choice},
                                     {kFits, std::accumulate(work.fits.begin(), work.fits.end(), 0.0)},
                                     {kNovelty, novelty_work(samples)}};
  for (PlannedPhase& step : steps) {
    step.expected *= kSecondsPerOperation / std::max(1, options.threads);
  }
  return steps;
}

enum class TrainingPart { design, fit, both };

// The steps of a training, or of a part of it, as parts of its progress.
class TrainingSteps {
 public:
  TrainingSteps(const Progress& progress, const ClassTrainer& trainer, TrainingPart part) : progress_(progress) {
    const LabelledSpectra samples = trainer.labelled();
    const TrainingWork work = expected_work(samples, trainer.options());
    for (const double fit : work.fits) {
      descents_.add(work.descent);
      fits_.add(fit);
    }
    novelty_.add(novelty_work(samples));
    const std::vector<PlannedPhase> all = training_steps(samples, work, trainer.options());
    clock_.plan({all.begin() + (part == TrainingPart::fit ? kDesignSteps : 0),
                 part == TrainingPart::design ? all.begin() + kDesignSteps : all.end()});
  }

  // Each of these begins the step.
  void begin_descents() { begin(kDescents); }
  // Progress of the selection, or of the evaluation of what the descents have found.
  const Progress& choice() { return begin(kChoice); }
  void begin_fits() { begin(kFits); }
  Work novelty() {
    begin(kNovelty);
    return novelty_.work(0);
  }

  Work descent(Index c) { return descents_.work(static_cast<std::size_t>(c)); }
  Work fit(Index c) { return fits_.work(static_cast<std::size_t>(c)); }
  void finish_descent(Index c) { descents_.finish(static_cast<std::size_t>(c)); }
  void finish_fit(Index c) { fits_.finish(static_cast<std::size_t>(c)); }
  void finish() { report_done(progress_, 1, 1); }

 private:
  const Progress& begin(const char* phase) {
    phase_ = clock_.begin(phase);
    return tell_;
  }

  const Progress& progress_;
  PhaseClock clock_;
  std::size_t phase_ = 0;
  Progress tell_ = [this](double fraction) {
    clock_.at(phase_, fraction);
    if (progress_) {
      progress_(clock_.share());
    }
  };
  WorkProgress descents_{tell_};  // by class
  WorkProgress fits_{tell_};      // by class
  WorkProgress novelty_{tell_};
};

// The choice by the training's criterion, or the two that design_models() is asked for.
std::vector<Choices> choose(ClassTrainer& trainer, bool both, TrainingSteps& steps) {
  const TrainingOptions& options = trainer.options();
  std::vector<Choices> found;
  // By left-out regions the metric is chosen for all classes together, and the accuracy for left-out samples is part of
  // the choice. By the radius-margin bound each class descends by itself, and the classifiers found are evaluated on
  // left-out samples afterwards.
  if (options.criterion == CriterionKind::leave_one_out) {
    const MetricSelection selection = trainer.select_metric(steps.choice(), both);
    trainer.use(selection);
    const auto add = [&](const JudgedPoint& point, const std::optional<ProfileScore>& profile) {
      found.push_back({trainer.choices(selection.shape, point, selection.classifiers), point.judgement, selection.shape,
                       selection.scan, profile});
    };
    if (selection.spectra) {
      add(*selection.spectra, std::nullopt);
    }
    add(selection, selection.profile);
    return found;
  }
  steps.begin_descents();
  std::vector<ClassChoice> choices(trainer.samples().classes.size());
  parallel_for(std::ssize(choices), options.threads, options.classes_at_once, [&](Index c) {
    choices[static_cast<std::size_t>(c)] = trainer.descend(static_cast<int>(c), steps.descent(c));
    steps.finish_descent(c);
  });
  Judgement judgement = trainer.judge(choices, steps.choice());
  found.push_back({std::move(choices), std::move(judgement)});
  return found;
}

// Fits one classifier for each class: several classes at a time, or one after the other where all threads share its
// samples.
void fit_classifiers(Model& model, const ClassTrainer& trainer, TrainingSteps& steps) {
  const SampleSet& samples = trainer.samples();
  const TrainingOptions& options = trainer.options();
  const auto classes = static_cast<Index>(samples.classes.size());
  steps.begin_fits();
  const auto fit = [&](const auto& fitter, Index c) {
    BinaryClassifier& classifier = model.classifiers[static_cast<std::size_t>(c)];
    classifier = fitter.fit(static_cast<int>(c), {classifier.metric, classifier.C, classifier.selection}, steps.fit(c));
    steps.finish_fit(c);
  };
  if (const Index centres = centre_count(samples.size(), options); centres > 0) {
    const CentreTraining training(samples, trainer.columns(model.classifiers.front().metric), options, centres);
    for (Index c = 0; c < classes; ++c) {
      fit(training, c);
    }
  } else {
    parallel_for(classes, options.threads, options.classes_at_once, [&](Index c) { fit(trainer, c); });
  }
  const Indices rows = share_support(model, trainer);
  if (centre_count(samples.size(), options) == 0) {
    model.origins = support_origins(trainer, model.classifiers.front().metric, rows);
  }
}

std::vector<Model> design_models(ClassTrainer& trainer, const TrainingSource& source, bool both, TrainingSteps& steps) {
  return mapped<Model>(choose(trainer, both, steps),
                       [&](Choices& choices) { return described_model(trainer, source, std::move(choices)); });
}

Model fit_model(Model model, const ClassTrainer& trainer, TrainingSteps& steps, bool with_novelty = true) {
  fit_classifiers(model, trainer, steps);
  if (with_novelty) {
    model.novelty = novelty_of(trainer.samples(), trainer.spectra(), trainer.options(), steps.novelty());
  }
  steps.finish();
  return model;
}

}  // namespace

std::vector<ClassNovelty> novelty_of(const SampleSet& samples, const Matrix& spectra, const TrainingOptions& options,
                                     const Work& work) {
  if (centre_count(samples.size(), options) == 0 || samples.size() <= kNoveltySamples) {
    return fit_novelty(spectra, samples, options.dimension, options.threads, work);
  }
  const Indices rows =
      draw_evenly(samples.labels, samples.classes.size(), kNoveltySamples, kNoveltySamplesOfClass, options.seed);
  // Spectra come from the scaled ones, which `subset` does not know.
  SampleSet drawn = subset(samples, rows);
  drawn.spectra = spectra(rows, Eigen::all);
  return fit_novelty(drawn.spectra, drawn, options.dimension, options.threads, work);
}

std::int64_t training_bytes(Index samples, Index bands, const TrainingOptions& options, Index features) {
  // The largest amount of memory that is needed at any time, from the sizes of the matrices that each step of the
  // training keeps. Steps follow one another, so that the largest of them counts, in addition to what is kept
  // throughout.
  const auto square = [](Index n) { return static_cast<std::int64_t>(sizeof(double)) * n * n; };
  // With profiles there are the spectra, the same beside the profiles, and the profiles.
  const Index columns = bands + features;
  const std::int64_t spectra = static_cast<std::int64_t>(sizeof(double)) * samples * columns;
  const std::int64_t held = (features > 0 ? 3 : 2) * spectra;
  // A class in work has centred spectra, their coordinates, and the system of its final fit, taken as half of the
  // samples, with its factor, or what takes their place.
  const Index support = samples / 2;
  std::int64_t fitting = 2 * square(std::min(support, options.largest_factor));
  if (support > options.largest_factor) {
    fitting = std::max(fitting, IterativeSystem::bytes(support, IterativeOptions{}));
  }
  // Before and after that each thread evaluates classifiers on samples that are left out in turn: kernel matrix and
  // distances, and systems of about half of the samples.
  const bool descent = options.criterion == CriterionKind::radius_margin;
  const Index judged = std::min(samples, descent ? kSelectionSamples : kJudgedSamples);
  // Those of profiles take a matrix of distances more, a kernel matrix, and the sum of two.
  const Index more = features > 0 ? 3 : 0;
  const std::int64_t selecting = (features > 0 ? square(judged) : 0) + options.threads * (3 + more) * square(judged);
  if (const Index centres = centre_count(samples, options); centres > 0) {
    // The samples and their scaled spectra; then the selection, the classifiers, or novelty, which copies what it
    // draws.
    const std::int64_t drawn = static_cast<std::int64_t>(sizeof(double)) * std::min(samples, kNoveltySamples) * bands;
    return held + std::max({selecting, 4 * drawn, CentreTraining::bytes(samples, columns, centres, options.threads)});
  }
  // A descent on the radius-margin bound has the kernel matrix of all samples, and systems of about half of them, in
  // each class; the classes share the distances of all samples.
  const std::int64_t working = 2 * spectra + std::max(fitting, descent ? 2 * square(samples) : 0);
  const std::int64_t classes = std::min(options.threads, options.classes_at_once) * working;
  return held + (descent ? square(samples) : 0) + std::max(classes, selecting);
}

TrainingSeconds training_seconds(const LabelledSpectra& samples, const TrainingOptions& options) {
  const std::vector<PlannedPhase> steps = training_steps(samples, expected_work(samples, options), options);
  TrainingSeconds seconds;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    (i < kDesignSteps ? seconds.design : seconds.fit) += steps[i].expected;
  }
  return seconds;
}

std::vector<Model> design_models(ClassTrainer& trainer, const TrainingSource& source, bool both,
                                 const Progress& progress) {
  TrainingSteps steps(progress, trainer, TrainingPart::design);
  return design_models(trainer, source, both, steps);
}

Model design_model(ClassTrainer& trainer, const TrainingSource& source, const MetricSelection& selection) {
  trainer.use(selection);
  return described_model(trainer, source,
                         {trainer.choices(selection), selection.judgement, selection.shape, selection.scan, {}});
}

std::optional<MetricSelection> selection_of(const Model& model) {
  const ClassifierDesign design = design_of(model);
  if (!design.shape) {
    return std::nullopt;
  }
  const BinaryClassifier& first = model.classifiers.front();
  MetricSelection selection;
  selection.point = {design.width, first.C};
  selection.risk = first.selection.value;
  selection.judgement = {model.provenance.left_out, model.combination, model.softmax_slope, model.own_probabilities};
  selection.shape = *design.shape;
  selection.class_weights = model.class_weights;
  selection.scan = model.scan;
  selection.classifiers = first.selection.evaluations;
  return selection;
}

Model fit_model(Model design, const ClassTrainer& trainer, const Progress& progress, bool with_novelty) {
  TrainingSteps steps(progress, trainer, TrainingPart::fit);
  return fit_model(std::move(design), trainer, steps, with_novelty);
}

Model train_one_vs_all(const SampleSet& samples, const TrainingSource& source, const TrainingOptions& options,
                       const Progress& progress) {
  // Scale the spectra, choose kernels and penalties, fit one classifier for each class to all samples, and gather them.
  ClassTrainer trainer(samples, options);
  TrainingSteps steps(progress, trainer, TrainingPart::both);
  return fit_model(std::move(design_models(trainer, source, false, steps).front()), trainer, steps);
}

Model train_one_vs_all(const SampleSet& samples, const TrainingOptions& options, const Progress& progress) {
  TrainingSource source;
  source.scene_bands = samples.spectra.cols();
  source.bands = consecutive(source.scene_bands);
  source.band_table.resize(static_cast<std::size_t>(source.scene_bands));
  return train_one_vs_all(samples, source, options, progress);
}

int classes_at_once(Index samples, Index bands, Index features, const TrainingOptions& options,
                    std::int64_t allowed_bytes) {
  // Memory grows with the number of classes that are trained at the same time. The largest number that fits is taken;
  // if not even one class fits, training is refused before it begins.
  TrainingOptions fitting = options;
  fitting.classes_at_once = options.threads;
  while (fitting.classes_at_once > 1 && training_bytes(samples, bands, fitting, features) > allowed_bytes) {
    --fitting.classes_at_once;
  }
  const std::int64_t needed = training_bytes(samples, bands, fitting, features);
  if (needed > allowed_bytes) {
    constexpr std::int64_t kMegabyte = std::int64_t{1} << 20U;
    throw ConfigError("training on " + std::to_string(samples) + " pixels takes about " +
                      std::to_string(needed / kMegabyte) + " MB of memory, and " +
                      std::to_string(allowed_bytes / kMegabyte) +
                      " MB may be used; use fewer with --sampling constant:N");
  }
  return fitting.classes_at_once;
}

}  // namespace parsimap
