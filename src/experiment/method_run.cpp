#include "method_run.hpp"

#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/selection/cross_validation.hpp"
#include "parsimap/svm/l2_svm.hpp"
#include "parsimap/svm/linear_systems.hpp"
#include "parsimap/validation/combination.hpp"
#include "parsimap/validation/left_out_risk.hpp"

namespace parsimap {
namespace {

bool pooled(ExperimentKernel kernel) {
  return kernel == ExperimentKernel::mahalanobis || kernel == ExperimentKernel::diagonal_mahalanobis;
}

// The coordinates in which a pooled kernel is a Gaussian one.
class PooledMetric {
 public:
  PooledMetric(const SampleSet& samples, ScalingRule scaling, bool diagonal)
      : scaling_(fit_scaling(samples.spectra, scaling, samples.labels)),
        whitening_(
            pooled_whitening(scaling_.apply(samples.spectra), samples.labels, samples.classes.size(), diagonal)) {}

  [[nodiscard]] Matrix apply(const Matrix& spectra) const { return whitening_.apply(scaling_.apply(spectra)); }

 private:
  Scaling scaling_;
  Whitening whitening_;
};

TrainingOptions options_of(const MethodTask& task) {
  TrainingOptions options;
  options.family = task.method.kernel == ExperimentKernel::hdda  ? KernelFamily::hdda
                   : task.method.kernel == ExperimentKernel::pca ? KernelFamily::pca
                                                                 : KernelFamily::gaussian;
  // A grid search does not use the criterion: its classifiers are only fitted.
  options.criterion = task.method.criterion == ExperimentCriterion::radius_margin ? CriterionKind::radius_margin
                                                                                  : CriterionKind::leave_one_out;
  options.dimension = task.method.dimension;
  // Spectra for pooled kernels have been scaled before they were whitened; scaling the coordinates would change the
  // metric.
  options.scaling = pooled(task.method.kernel) ? ScalingRule::none : task.scaling;
  options.seed = task.seed;
  return options;
}

// One cell of the grid in one fold: a kernel matrix, and a classifier of every class that takes about as long.
double grid_operations(const SampleSet& samples) {
  return operations(samples.size(), samples.size(), kernel_operations(0)) * static_cast<double>(samples.classes.size());
}

// Counts the operations of a step that takes `expected` of them, from the fraction of the step that is done.
Progress as_operations(const Work& work, double expected) {
  return [&work, expected, counted = 0.0](double fraction) mutable {
    count_work(work, (fraction - counted) * expected);
    counted = fraction;
  };
}

// Gaussian kernels in a metric of every class, or in one of all classes.
class GaussianTraining final : public MethodTraining {
 public:
  GaussianTraining(const Dataset& dataset, const MethodTask& task, const Work& work) : task_(task), work_(work) {
    // A kernel with a pooled covariance is a Gaussian kernel of whitened spectra: exp(-|W x - W z|^2 / 2 s^2).
    if (pooled(task.method.kernel)) {
      metric_.emplace(dataset.train, task.scaling, task.method.kernel == ExperimentKernel::diagonal_mahalanobis);
      whitened_ = dataset.train;
      whitened_.spectra = metric_->apply(dataset.train.spectra);
    }
    const SampleSet& samples = metric_ ? whitened_ : dataset.train;
    trainer_.emplace(samples, options_of(task));
    if (task.method.criterion == ExperimentCriterion::cross_validation) {
      search_grid(samples);
    } else if (task.method.criterion == ExperimentCriterion::leave_one_out) {
      const double expected = expected_work(samples, options_of(task)).choice;
      const MetricSelection selection = trainer_->select_metric(as_operations(work, expected));
      shared_ = trainer_->choices(selection);
      combination_ = selection.judgement.combination;
    }
  }
  GaussianTraining(const GaussianTraining&) = delete;
  GaussianTraining& operator=(const GaussianTraining&) = delete;

  [[nodiscard]] std::vector<TrainedClass> train(const std::vector<int>& classes) const override {
    std::vector<TrainedClass> trained;
    for (const int c : classes) {
      const double before = processor_seconds();
      // The radius-margin bound is descended class by class; the other criteria have chosen for all classes already.
      const ClassChoice choice = shared_.empty() ? trainer_->descend(c, work_) : shared_[static_cast<std::size_t>(c)];
      trained.push_back({trainer_->fit(c, choice, work_), choice.trivial, 0});
      trained.back().seconds = processor_seconds() - before;
    }
    return trained;
  }

  [[nodiscard]] Matrix decisions(const std::vector<TrainedClass>& classifiers, const std::vector<int>& /*classes*/,
                                 const Matrix& spectra) const override {
    const Matrix features = trainer_->scaling().apply(metric_ ? metric_->apply(spectra) : spectra);
    // f_c of every sample: n x the classes that were trained.
    Matrix values(features.rows(), static_cast<Index>(classifiers.size()));
    for (std::size_t k = 0; k < classifiers.size(); ++k) {
      values.col(static_cast<Index>(k)) = decision_values(classifiers[k].classifier, trainer_->spectra(), features);
    }
    return values;
  }

  [[nodiscard]] Matrix combination() const override { return combination_; }

 private:
  void search_grid(const SampleSet& samples) {
    GridOptions options;
    options.seed = task_.seed;
    options.on_evaluation = [this, each = grid_operations(samples)] { count_work(work_, each); };
    // One search over widths and penalties serves all classes: each is given the pair with the highest cross-validated
    // accuracy.
    const GridSearch search =
        cross_validated_grid(trainer_->spectra(), samples.labels, samples.classes.size(), options);
    // A metric without directions and with one weight is the Gaussian kernel. The recorded value of the criterion is
    // the share of wrong samples in cross-validation.
    const ClassMetric metric{Matrix(trainer_->spectra().cols(), 0), Vector(), search.best.weights.isotropic};
    const SelectionRecord record{"cross-validation", 1 - search.accuracy, search.evaluations, "grid searched"};
    shared_.assign(samples.classes.size(), {metric, search.best.C, record});
  }

  const MethodTask& task_;
  const Work& work_;
  std::optional<PooledMetric> metric_;
  SampleSet whitened_;  // the training samples as pooled kernels see them; empty for other kernels
  std::optional<ClassTrainer> trainer_;
  std::vector<ClassChoice> shared_;  // by class, where one search serves all of them
  Matrix combination_;
};

std::unique_ptr<const MethodTraining> make_training(const Dataset& dataset, const MethodTask& task, const Work& work) {
  if (const std::optional<MetricKernel> kernel = metric_kernel(task.method.kernel)) {
    return std::make_unique<MetricKernelTraining>(
        dataset.train, MetricKernelOptions{*kernel, task.method.dimension, task.scaling, task.seed},
        as_operations(work, expected_work(dataset.train, options_of(task)).choice));
  }
  return std::make_unique<GaussianTraining>(dataset, task, work);
}

// What is recorded of one trained class.
ClassRun class_run(const std::string& name, const TrainedClass& trained) {
  const BinaryClassifier& classifier = trained.classifier;
  ClassRun run;
  run.name = name;
  // The number of directions of the class, p; 0 for kernels without a subspace.
  run.dimension = classifier.metric.weights.size();
  run.criterion_value = classifier.selection.value;
  run.C = classifier.C;
  run.support_vectors = static_cast<Index>(classifier.support.size());
  run.evaluations = classifier.selection.evaluations;
  run.stop_reason = classifier.selection.stop_reason;
  run.trivial = trained.trivial;
  if (classifier.solver_stop != to_string(SolverStop::optimal)) {
    run.stop_reason += "; final fit: " + classifier.solver_stop;
  }
  run.trace = classifier.selection.trace;
  run.weights.assign(classifier.metric.weights.begin(), classifier.metric.weights.end());
  run.rest_weight = classifier.metric.rest_weight;
  return run;
}

double binary_accuracy(const Vector& decisions, const std::vector<int>& labels, int c) {
  // A decision value above 0 means the class, any other the rest.
  const auto right = [&](std::size_t i) { return (decisions(static_cast<Index>(i)) > 0) == (labels[i] == c); };
  return static_cast<double>(indices_where(labels.size(), right).size()) / static_cast<double>(labels.size());
}

// Tests the classifiers, one per entry of `classes`, and adds their binary accuracies to `runs`.
TestRun test_classifiers(const MethodTraining& training, const std::vector<TrainedClass>& classifiers,
                         const std::vector<int>& classes, const TestSet& test, std::vector<ClassRun>& runs) {
  // The columns of classes that are not trained stay unused: an overall accuracy is only given where all are
  // trained.
  Matrix decisions(test.samples.size(), static_cast<Index>(test.samples.classes.size()));
  decisions(Eigen::all, classes) = training.decisions(classifiers, classes, test.samples.spectra);
  TestRun result{test.name, test.samples.size(), {}, 0, {}};
  for (std::size_t k = 0; k < classifiers.size(); ++k) {
    const double accuracy = binary_accuracy(decisions.col(classes[k]), test.samples.labels, classes[k]);
    runs[k].binary_accuracy.push_back(accuracy);
    result.average_binary_accuracy += accuracy / static_cast<double>(classifiers.size());
  }
  if (classifiers.size() == test.samples.classes.size()) {
    // A sample belongs to the class with the largest decision value, as a pixel of a map does.
    result.confusion.emplace(class_names(test.samples.classes),
                             left_out_confusion(combined(training.combination(), decisions), test.samples.labels));
    result.overall_accuracy = result.confusion->overall_accuracy();
  }
  return result;
}

}  // namespace

double processor_seconds() {
  // The processor time of this thread: several runs are computed at once, and their times must not include each
  // other's.
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

ExperimentRun run_method(const Dataset& dataset, const MethodTask& task, const Work& work) {
  const double start = processor_seconds();
  const std::unique_ptr<const MethodTraining> training = make_training(dataset, task, work);
  // What is done for all classes together is shared out evenly among them.
  const double shared = (processor_seconds() - start) / static_cast<double>(task.classes.size());

  ExperimentRun run{task.data, name_of(task.method), task.repeat, task.seed, {}, {}};
  const std::vector<TrainedClass> classifiers = training->train(task.classes);
  for (std::size_t k = 0; k < classifiers.size(); ++k) {
    const ClassEntry& entry = dataset.train.classes[static_cast<std::size_t>(task.classes[k])];
    run.classes.push_back(class_run(entry.name, classifiers[k]));
    run.classes.back().seconds = shared + classifiers[k].seconds;
  }
  for (const TestSet& test : dataset.tests) {
    run.tests.push_back(test_classifiers(*training, classifiers, task.classes, test, run.classes));
  }
  return run;
}

double method_work(const Dataset& dataset, const MethodTask& task) {
  // Estimated operations of a run, for the progress only: the choice of the metric, and the final training.
  TrainingWork work = expected_work(dataset.train, options_of(task));
  if (task.method.criterion == ExperimentCriterion::cross_validation) {
    work.choice = static_cast<double>(kGridEvaluations) * grid_operations(dataset.train);
  } else if (task.method.criterion == ExperimentCriterion::radius_margin) {
    // Classes are searched one by one by descents; no choice for all of them follows.
    work.choice = 0;
  }
  return work.sum();
}

// Spectra whose kernel values are held at the same time.
constexpr Index kDecisionRows = 512;

static MetricSelection choose(const SampleSet& samples, const Matrix& spectra, const MetricKernelOptions& options,
                              const Progress& progress) {
  MetricSelectionOptions selection;
  selection.dimension = options.dimension;
  selection.seed = options.seed;
  selection.progress = progress;
  selection.kernel = options.kernel;
  return select_metric({spectra, samples.labels, samples.places, samples.classes.size()}, selection);
}

// Calls body(group, places) for every group of classes that have a kernel in common and of which some are wanted, with
// the places of these in `wanted`.
template <typename Body>
static void for_groups(const MetricKernel& kernel, std::size_t classes, const std::vector<int>& wanted,
                       const Body& body) {
  for (const std::vector<int>& group : classes_by_kernel(kernel, static_cast<int>(classes))) {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      if (std::ranges::find(group, wanted[k]) != group.end()) {
        places.push_back(k);
      }
    }
    if (!places.empty()) {
      body(group, places);
    }
  }
}

MetricKernelTraining::MetricKernelTraining(const SampleSet& samples, const MetricKernelOptions& options,
                                           const Progress& progress)
    : samples_(samples),
      kernel_(options.kernel),
      scaling_(fit_scaling(samples.spectra, options.scaling, samples.labels)),
      spectra_(scaling_.apply(samples.spectra)),
      selection_(choose(samples, spectra_, options, progress)) {
  // The selection has found blend, damping, width and C with left-out samples, the same for all classes. With these,
  // the metric of every class is computed from all training samples (docs/method.md, Polynomials and sums).
  const BlendedModels models(spectra_, samples.labels, samples.classes.size());
  for (std::size_t c = 0; c < samples.classes.size(); ++c) {
    const SubspaceModel model = models.model(static_cast<int>(c), selection_.shape.blend, options.dimension);
    metrics_.push_back(scaled(shaped_metric(model, selection_.shape), selection_.point.width));
  }
}

std::vector<TrainedClass> MetricKernelTraining::train(const std::vector<int>& classes) const {
  std::vector<TrainedClass> trained(classes.size());
  for_groups(kernel_, metrics_.size(), classes, [&](const auto& group, const auto& places) {
    // Classes of a group have one kernel matrix in common; its time is shared out among them.
    double before = processor_seconds();
    const Matrix kernel = kernel_matrix(kernel_, metrics_of(group), spectra_, spectra_);
    const double shared = (processor_seconds() - before) / static_cast<double>(places.size());
    for (const std::size_t k : places) {
      before = processor_seconds();
      trained[k].classifier = fit(classes[k], kernel);
      trained[k].seconds = shared + processor_seconds() - before;
    }
  });
  return trained;
}

Matrix MetricKernelTraining::decisions(const std::vector<TrainedClass>& classifiers, const std::vector<int>& classes,
                                       const Matrix& spectra) const {
  // f(x) = sum_i g_i k(x, x_i) + bias over the support vectors, from the rows of kernel values of a block of spectra
  // with all training samples.
  const Matrix features = scaling_.apply(spectra);
  Matrix values(features.rows(), static_cast<Index>(classes.size()));
  for_groups(kernel_, metrics_.size(), classes, [&](const auto& group, const auto& places) {
    // Spectra are taken in blocks of rows, so that only one block of kernel values is held at a time.
    for (Index first = 0; first < features.rows(); first += kDecisionRows) {
      const Index rows = std::min(kDecisionRows, features.rows() - first);
      const Matrix kernel = kernel_matrix(kernel_, metrics_of(group), features.middleRows(first, rows), spectra_);
      for (const std::size_t k : places) {
        const BinaryClassifier& classifier = classifiers[k].classifier;
        values.col(static_cast<Index>(k)).segment(first, rows) =
            (kernel(Eigen::all, classifier.support) * classifier.coefficients).array() + classifier.bias;
      }
    }
  });
  return values;
}

std::vector<ClassMetric> MetricKernelTraining::metrics_of(const std::vector<int>& group) const {
  return mapped<ClassMetric>(group, [&](int c) { return metrics_[static_cast<std::size_t>(c)]; });
}

BinaryClassifier MetricKernelTraining::fit(int c, const Matrix& kernel) const {
  // The penalty C is common to all samples: there are no class weights in experiments.
  const MarginSolution margin =
      solve_margin(DenseQuadraticForm(kernel), labels_against_rest(samples_.labels, c), selection_.point.C);
  const SelectionRecord record{to_string(CriterionKind::leave_one_out), selection_.risk, selection_.classifiers,
                               "shared by all classes"};
  return fitted_classifier(samples_, c, {metrics_[static_cast<std::size_t>(c)], selection_.point.C, record}, margin);
}

}  // namespace parsimap
