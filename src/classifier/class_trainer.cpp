#include "parsimap/classifier/class_trainer.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/blended_model.hpp"
#include "parsimap/kernel/mahalanobis_kernel.hpp"
#include "parsimap/selection/select.hpp"
#include "parsimap/svm/margin_problem.hpp"

namespace parsimap {
namespace {

// Spectra whose kernel values are held at the same time.
constexpr Index kDecisionRows = 512;

// The printed kernel with these directions: total weights are those of the directions and of all bands together.
ClassMetric printed_metric(const Matrix& directions, const KernelWeights& weights) {
  const Index p = std::min(directions.cols(), weights.directional.size());
  return {directions.leftCols(p), weights.directional.head(p).array() + weights.isotropic, weights.isotropic};
}

}  // namespace

void check_training_options(const TrainingOptions& options) {
  if (options.criterion == CriterionKind::radius_margin && options.class_weights != ClassWeights::none) {
    throw ConfigError("class weights '" + to_string(options.class_weights) +
                      "' do not go with the criterion radius-margin, whose bound has one C; they must be none");
  }
}

ClassTrainer::ClassTrainer(const SampleSet& samples, const TrainingOptions& options)
    : samples_(samples),
      options_(options),
      scaling_(fit_scaling(samples.spectra, options.scaling)),
      spectra_(scaling_.apply(samples.spectra)) {
  check_training_options(options);
  if (options.criterion == CriterionKind::radius_margin) {
    distances_ = std::make_shared<const Matrix>(squared_distances(spectra_, options.threads));
  }
}

LabelledSpectra ClassTrainer::labelled() const {
  return {spectra_, samples_.labels, samples_.groups, samples_.classes.size()};
}

MetricSelectionOptions ClassTrainer::selection_options(const Progress& progress) const {
  return {options_.family, options_.dimension, options_.seed, options_.threads, progress, options_.class_weights};
}

MetricSelection ClassTrainer::select_metric(const Progress& progress) const {
  return parsimap::select_metric(labelled(), selection_options(progress));
}

std::vector<ClassChoice> ClassTrainer::choices(const MetricSelection& selection) const {
  // The choice is four numbers for all classes; what differs from class to class is the covariance they are applied to,
  // now estimated from all samples.
  const BlendedModels models(spectra_, samples_.labels, samples_.classes.size());
  std::vector<ClassChoice> choices(samples_.classes.size());
  parallel_for(static_cast<Index>(choices.size()), options_.threads, [&](Index c) {
    const SubspaceModel model = models.model(static_cast<int>(c), selection.shape.blend, options_.dimension);
    ClassChoice& choice = choices[static_cast<std::size_t>(c)];
    choice.metric = scaled(shaped_metric(model, selection.shape), selection.point.width);
    choice.C = selection.point.C;
    choice.record = {to_string(options_.criterion), selection.risk, selection.machines, "shared by all classes"};
  });
  return choices;
}

ClassChoice ClassTrainer::descend(int c, const Work& work) const {
  // The printed kernel of the class: its directions are those of its own covariance, its weights are learnt by descent
  // on T = R^2 M^2 (docs/method.md, "The radius-margin bound").
  const SubspaceModel subspace =
      subspace_model(class_statistics(spectra_(class_rows(samples_, c), Eigen::all)), options_.dimension);
  const BinaryProblem problem{subspace.directions, spectra_ * subspace.directions, distances_, labels_of(c),
                              subspace.variances,  subspace.noise_variance};
  const Selection selection =
      select_hyperparameters(problem, options_.family, {DescentOptions{}, work, options_.threads});
  const std::string plateau = selection.trivial ? " on the trivial plateau T = n - 1" : "";
  return {printed_metric(subspace.directions, selection.parameters.weights),
          selection.parameters.C,
          {to_string(options_.criterion), selection.value, selection.evaluations, to_string(selection.stop) + plateau,
           selection.trace},
          selection.trivial};
}

Judgement ClassTrainer::judge(const std::vector<ClassChoice>& choices, const Progress& progress) const {
  std::vector<ClassDesign> designs;
  for (const ClassChoice& choice : choices) {
    // Left out are the directions: they are estimated anew, as many as the class has, under the weights found.
    const auto metric = [&weights = choice.metric](const Matrix& own) -> ClassMetric {
      if (weights.weights.size() == 0) {
        return weights;
      }
      const DimensionRule rule{DimensionMethod::fixed, static_cast<double>(weights.weights.size())};
      const Matrix directions = subspace_model(class_statistics(own), rule).directions;
      return {directions, weights.weights.head(directions.cols()), weights.rest_weight};
    };
    designs.push_back({metric, choice.C});
  }
  return judge_left_out(labelled(), designs, selection_options(progress));
}

BinaryMachine ClassTrainer::fit(int c, const ClassChoice& choice, const Work& work) const {
  // The final fit. Nobody holds the kernel matrix of all samples: KernelForm computes the parts that the solver asks
  // for.
  const Vector labels = labels_of(c);
  SolverOptions solver;
  solver.largest_factor = options_.largest_factor;
  solver.work = work;
  solver.threads = options_.threads;
  const Vector penalties = choice.C * sample_weights(options_.class_weights, samples_.labels);
  const KernelForm kernel(MahalanobisKernel(choice.metric), spectra_, work, options_.threads);
  const MarginSolution margin = solve_margin(kernel, labels, penalties, nullptr, solver);
  if (margin.stop == SolverStop::not_positive) {
    throw DataError("class '" + samples_.classes[static_cast<std::size_t>(c)].name +
                    "': its kernel matrix is not positive definite to working precision");
  }
  BinaryMachine machine;
  machine.samples = std::count(samples_.labels.begin(), samples_.labels.end(), c);
  machine.regions = region_count(samples_, c);
  machine.metric = choice.metric;
  machine.C = choice.C;
  machine.bias = margin.bias;
  machine.support = margin.support;
  machine.coefficients = margin.coefficients(margin.support);
  machine.kkt_violation = margin.kkt_violation;
  machine.solver_stop = to_string(margin.stop);
  machine.selection = choice.record;
  return machine;
}

Vector ClassTrainer::labels_of(int c) const {
  Vector labels(samples_.size());
  for (std::size_t i = 0; i < samples_.labels.size(); ++i) {
    labels(static_cast<Index>(i)) = samples_.labels[i] == c ? 1 : -1;
  }
  return labels;
}

double TrainingWork::sum() const {
  return choice + static_cast<double>(fits.size()) * descent + std::accumulate(fits.begin(), fits.end(), 0.0);
}

TrainingWork expected_work(const SampleSet& samples, const TrainingOptions& options) {
  // Classes have a few directions.
  constexpr Index kDirections = 5;
  // The fit of a class solves a few systems, of as many support vectors as the smaller side has samples. Before them
  // come the same of half of the samples, which take a quarter of that, and so on.
  constexpr double kSystems = 4 * 4.0 / 3;
  const LabelledSpectra labelled = {samples.spectra, samples.labels, samples.groups, samples.classes.size()};
  MetricSelectionOptions selection;
  selection.family = options.family;
  const Index n = samples.size();
  TrainingWork work;
  if (options.criterion == CriterionKind::leave_one_out) {
    work.choice = selection_operations(labelled, selection);
  } else {
    work.choice = judgement_operations(labelled, selection);
    work.descent = descent_operations(n, kDirections, options.family);
  }
  for (const Index own : class_counts(samples)) {
    work.fits.push_back(kSystems * operations(n, std::min(own, n - own), kernel_operations(samples.spectra.cols())));
  }
  return work;
}

Vector decision_values(const BinaryMachine& machine, const Matrix& support_spectra, const Matrix& spectra) {
  const MahalanobisKernel kernel(machine.metric);
  const Matrix support = support_spectra(machine.support, Eigen::all);
  Vector values(spectra.rows());
  for (Index first = 0; first < spectra.rows(); first += kDecisionRows) {
    const Index rows = std::min(kDecisionRows, spectra.rows() - first);
    values.segment(first, rows) =
        (kernel.block(spectra.middleRows(first, rows), support) * machine.coefficients).array() + machine.bias;
  }
  return values;
}

}  // namespace parsimap
