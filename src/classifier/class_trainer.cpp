#include "parsimap/classifier/class_trainer.hpp"

#include <algorithm>
#include <numeric>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/kernel/training_geometry.hpp"
#include "parsimap/selection/descent.hpp"
#include "parsimap/svm/minimise.hpp"

#include "centre_training.hpp"

namespace parsimap {

// Spectra whose kernel values are held at the same time.
constexpr Index kDecisionRows = 512;

// The printed kernel with these directions: total weights are those of the directions and of all bands together.
static ClassMetric printed_metric(const Matrix& directions, const KernelWeights& weights) {
  const Index p = std::min(directions.cols(), weights.directional.size());
  return {directions.leftCols(p), weights.directional.head(p).array() + weights.isotropic, weights.isotropic};
}

static bool chooses_scaling(const TrainingOptions& options) {
  return options.scaling == ScalingRule::automatic && options.criterion == CriterionKind::leave_one_out;
}

void check_training_options(const TrainingOptions& options) {
  // The bound is that of one exact classifier with one C for all its samples; its derivatives are neither those of
  // several penalties nor those of a function on centres.
  if (options.criterion == CriterionKind::radius_margin && options.class_weights == ClassWeights::balanced) {
    throw ConfigError("class weights '" + to_string(options.class_weights) +
                      "' do not go with the criterion radius-margin, whose bound has one C; they must be none");
  }
  if (options.criterion == CriterionKind::radius_margin && options.centres.value_or(0) > 0) {
    throw ConfigError("centres (" + std::to_string(*options.centres) +
                      ") do not go with the criterion radius-margin, whose bound is one of exact classifiers");
  }
}

Index parse_centres(const std::string& text) {
  // The systems of this many centres take 3.2 GB for each matrix in double precision.
  constexpr Index kMostCentres = 20000;
  if (text == "none") {
    return 0;
  }
  const auto centres = parse_number<Index>(text);
  if (!centres || *centres < 2 || *centres > kMostCentres) {
    throw ConfigError("centres '" + text + "' is unknown; it must be none, or a number from 2 to " +
                      std::to_string(kMostCentres));
  }
  return *centres;
}

Index centre_count(Index samples, const TrainingOptions& options) {
  if (options.criterion == CriterionKind::radius_margin) {
    return 0;
  }
  // The number of centres that the user asks for; without a choice, the usual number if there are too many samples for
  // exact classifiers, and 0 for exact ones.
  return std::min(samples, options.centres.value_or(samples > kMostExactSamples ? kUsualCentres : 0));
}

ClassTrainer::ClassTrainer(const SampleSet& samples, const TrainingOptions& options)
    : samples_(samples), options_(options) {
  check_training_options(options);
  if (options.criterion == CriterionKind::radius_margin && samples.weights.size() > 0) {
    throw ConfigError("weights of samples do not go with the criterion radius-margin, whose bound has one C");
  }
  // Scaled spectra are kept once, and once more beside the profiles, which are not scaled: their features have a common
  // unit already. The radius-margin bound needs the distances of all samples, which do not depend on the class.
  if (samples.profiles.cols() > 0 && options.criterion == CriterionKind::radius_margin) {
    throw ConfigError(
        "profiles do not go with the criterion radius-margin, which chooses for every class by itself what all "
        "classes must share; the criterion must be leave-one-out");
  }
  if (chooses_scaling(options)) {
    scaling_.units = compression_units(samples.spectra, samples.labels);
  }
  scale(options.scaling == ScalingRule::automatic ? ScalingRule::global : options.scaling);
  if (chooses_scaling(options)) {
    // Both scalings centre bands on their medians, so that they differ by a factor of each band.
    standardising_ = scaling_.scale.cwiseQuotient(
        fit_scaling(samples.spectra, ScalingRule::within_classes, samples.labels, scaling_.units).scale);
  }
  if (options.criterion == CriterionKind::radius_margin) {
    distances_ = std::make_shared<const Matrix>(squared_distances(spectra_, options.threads));
  }
}

void ClassTrainer::scale(ScalingRule rule) {
  rule_ = rule;
  scaling_ = fit_scaling(samples_.spectra, rule, samples_.labels, scaling_.units);
  spectra_ = scaling_.apply(samples_.spectra);
  if (samples_.profiles.cols() > 0) {
    columns_ = joined_columns(spectra_, samples_.profiles);
  }
}

void ClassTrainer::use(const MetricSelection& selection) {
  options_.class_weights = selection.class_weights;
  if (selection.shape.standardised && rule_ != ScalingRule::within_classes) {
    scale(ScalingRule::within_classes);
    standardising_.resize(0);
  }
}

LabelledSpectra ClassTrainer::labelled() const {
  const Index features = samples_.profiles.cols();
  return {features > 0 ? columns_ : spectra_,
          samples_.labels,
          samples_.places,
          samples_.classes.size(),
          features,
          samples_.weights,
          standardising_};
}

MetricSelectionOptions ClassTrainer::selection_options(const Progress& progress, bool both) const {
  return {{options_.dimension, options_.seed, options_.threads, options_.class_weights, {}},
          options_.family,
          progress,
          both,
          options_.profiles_always,
          options_.effort.value_or(1)};
}

MetricSelection ClassTrainer::select_metric(const Progress& progress, bool both) const {
  return parsimap::select_metric(labelled(), selection_options(progress, both));
}

MetricSelection ClassTrainer::quick_metric(const Progress& progress) const {
  return parsimap::quick_metric(labelled(), selection_options(progress));
}

std::vector<ClassChoice> ClassTrainer::choices(const MetricShape& shape, const JudgedPoint& judged,
                                               Index classifiers) const {
  // The choice is a few numbers for all classes; what differs from class to class is the covariance they are applied
  // to, now estimated from all samples.
  const std::vector<SubspaceModel> models = class_models(shape.blend);
  const ProfileTerm profile =
      judged.point.share > 0 ? ProfileTerm{samples_.profiles.cols(), judged.point.profile_weight, judged.point.share}
                             : ProfileTerm{};
  std::vector<ClassChoice> choices(samples_.classes.size());
  for (std::size_t c = 0; c < choices.size(); ++c) {
    ClassChoice& choice = choices[c];
    choice.metric = with_profile(scaled(shaped_metric(models[c], shape), judged.point.width), profile);
    choice.C = judged.point.C;
    choice.record = {to_string(options_.criterion), judged.risk, classifiers, "shared by all classes"};
  }
  return choices;
}

std::vector<SubspaceModel> ClassTrainer::class_models(double blend) const {
  const std::size_t classes = samples_.classes.size();
  std::vector<SubspaceModel> result(classes);
  const auto take = [&](const auto& models) {
    parallel_for(static_cast<Index>(classes), options_.threads, [&](Index c) {
      result[static_cast<std::size_t>(c)] = models.model(static_cast<int>(c), blend, options_.dimension);
    });
  };
  // Of as many samples as need centres no further copy is made.
  if (centre_count(samples_.size(), options_) > 0) {
    take(BlendedCovariances(spectra_, samples_.labels, classes, options_.threads));
  } else {
    take(BlendedModels(spectra_, samples_.labels, classes));
  }
  return result;
}

ClassChoice ClassTrainer::descend(int c, const Work& work) const {
  // The printed kernel of the class: its directions are those of its own covariance, its weights are learnt by descent
  // on T = R^2 M^2 (docs/method.md, "The radius-margin bound").
  const SubspaceModel subspace =
      subspace_model(class_statistics(spectra_(class_rows(samples_, c), Eigen::all)), options_.dimension);
  const BinaryProblem problem{subspace.directions, spectra_ * subspace.directions,
                              distances_,          labels_against_rest(samples_.labels, c),
                              subspace.variances,  subspace.noise_variance};
  const Selection selection =
      select_hyperparameters(problem, options_.family, {DescentOptions{}, work, options_.threads});
  const std::string plateau = selection.trivial ? " on the trivial plateau" : "";
  return {printed_metric(subspace.directions, selection.parameters.weights),
          selection.parameters.C,
          {to_string(options_.criterion), selection.value, selection.evaluations, to_string(selection.stop) + plateau,
           selection.trace},
          selection.trivial};
}

Judgement ClassTrainer::judge(const std::vector<ClassChoice>& choices, const Progress& progress) const {
  // Left out are the directions: they are estimated anew, as many as the class has, under the weights found.
  ClassifierDesign design;
  for (const ClassChoice& choice : choices) {
    design.learnt.push_back(choice.metric);
    design.C.push_back(choice.C);
  }
  return judge_left_out(labelled(), design, selection_options(progress));
}

BinaryClassifier ClassTrainer::fit(int c, const ClassChoice& choice, const Work& work) const {
  // The final fit. Nobody holds the kernel matrix of all samples: KernelForm computes the parts that the solver asks
  // for. Equal samples are trained on once, with the sum of their penalties.
  const Matrix values = columns(choice.metric);
  const DistinctSamples distinct = distinct_samples(values, samples_.labels);
  const Vector labels = labels_against_rest(values_at(samples_.labels, distinct.rows), c);
  SolverOptions solver;
  solver.largest_factor = options_.largest_factor;
  solver.work = work;
  solver.threads = options_.threads;
  // C_i = C times the weight of the class of sample i (docs/method.md, "The classifier and the enclosing sphere").
  const Vector penalties =
      choice.C * distinct.sum(sample_weights(options_.class_weights, samples_.labels, samples_.weights));
  const KernelForm kernel(MahalanobisKernel(choice.metric), values(distinct.rows, Eigen::all), work, options_.threads);
  const MarginSolution margin = solve_margin(kernel, labels, penalties, nullptr, solver);
  BinaryClassifier classifier = fitted_classifier(samples_, c, choice, margin);
  classifier.support = values_at(distinct.rows, classifier.support);
  return classifier;
}

BinaryClassifier described_classifier(const SampleSet& samples, int c, const ClassChoice& choice) {
  BinaryClassifier classifier;
  classifier.samples = std::count(samples.labels.begin(), samples.labels.end(), c);
  classifier.regions = region_count(samples, c);
  classifier.metric = choice.metric;
  classifier.C = choice.C;
  classifier.selection = choice.record;
  return classifier;
}

BinaryClassifier fitted_classifier(const SampleSet& samples, int c, const ClassChoice& choice,
                                   const MarginSolution& margin) {
  if (margin.stop == SolverStop::not_positive) {
    throw DataError("class '" + samples.classes[static_cast<std::size_t>(c)].name +
                    "': its kernel matrix is not positive definite to working precision");
  }
  BinaryClassifier classifier = described_classifier(samples, c, choice);
  classifier.bias = margin.bias;
  classifier.support = margin.support;
  classifier.coefficients = margin.coefficients(margin.support);
  classifier.kkt_violation = margin.kkt_violation;
  classifier.solver_stop = to_string(margin.stop);
  return classifier;
}

double TrainingWork::sum() const {
  return choice + static_cast<double>(fits.size()) * descent + std::accumulate(fits.begin(), fits.end(), 0.0);
}

TrainingWork expected_work(const LabelledSpectra& samples, const TrainingOptions& options) {
  // Classes have a few directions.
  constexpr Index kDirections = 5;
  // The fit of a class solves a few systems, of as many support vectors as the smaller side has samples. Before them
  // come the same of half of the samples, which take a quarter of that, and so on.
  constexpr double kSystems = 2 * 4.0 / 3;
  MetricSelectionOptions selection;
  selection.family = options.family;
  const auto n = static_cast<Index>(samples.labels.size());
  TrainingWork work;
  if (options.criterion == CriterionKind::leave_one_out) {
    LabelledSpectra planned = samples;
    planned.standardising = Vector::Ones(chooses_scaling(options) ? samples.bands() : 0);
    work.choice = selection_operations(planned, selection);
  } else {
    work.choice = judgement_operations(samples, selection);
    work.descent = descent_operations(n, kDirections, options.family);
  }
  const Index centres = centre_count(n, options);
  const Index columns = samples.spectra.cols();
  // Of many small classes more samples than these support a classifier: as many as where they are left out.
  const double in_parts_each = in_parts(samples.classes, 1)
                                   ? classifier_operations(n, columns, samples.classes, 1) /
                                         (static_cast<double>(kFolds) * static_cast<double>(samples.classes))
                                   : 0;
  for (const Index own : class_counts(samples.labels, samples.classes)) {
    if (centres > 0) {
      work.fits.push_back(CentreTraining::operations(n, columns, centres, samples.features));
      continue;
    }
    const Index support = std::min(own, n - own);
    work.fits.push_back(
        std::max(in_parts_each, kSystems * operations(n, support, kernel_operations(columns, samples.features))));
  }
  return work;
}

TrainingWork expected_work(const SampleSet& samples, const TrainingOptions& options) {
  const Index features = samples.profiles.cols();
  const Matrix columns(0, samples.spectra.cols() + features);
  return expected_work({columns, samples.labels, samples.places, samples.classes.size(), features}, options);
}

Vector decision_values(const BinaryClassifier& classifier, const Matrix& support_spectra, const Matrix& spectra) {
  // f(x) = sum_i g_i k(x_i, x) + bias in double precision, without the approximations of the predictor. Blocks of rows
  // bound the memory of the kernel values.
  const MahalanobisKernel kernel(classifier.metric);
  const Matrix support = support_spectra(classifier.support, Eigen::all);
  Vector values(spectra.rows());
  for (Index first = 0; first < spectra.rows(); first += kDecisionRows) {
    const Index rows = std::min(kDecisionRows, spectra.rows() - first);
    values.segment(first, rows) =
        (kernel.block(spectra.middleRows(first, rows), support) * classifier.coefficients).array() + classifier.bias;
  }
  return values;
}

}  // namespace parsimap
