#include "parsimap/classifier/class_trainer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/kernel/kernel_form.hpp"
#include "parsimap/samples/split.hpp"
#include "parsimap/selection/leave_one_out.hpp"
#include "parsimap/svm/margin_problem.hpp"

namespace parsimap {
namespace {

// Samples of a class that the selection subset holds at least.
constexpr Index kLeastPerClass = 50;

// Spectra whose kernel values are held at the same time.
constexpr Index kDecisionRows = 512;

}  // namespace

ClassTrainer::ClassTrainer(const SampleSet& samples, const TrainingOptions& options)
    : samples_(samples),
      options_(options),
      scaling_(fit_scaling(samples.spectra, options.scaling)),
      spectra_(scaling_.apply(samples.spectra)) {
  if (options.criterion == CriterionKind::leave_one_out && samples.size() > kSelectionSamples) {
    selection_rows_ =
        draw_stratified(samples.labels, samples.classes.size(), kSelectionSamples, kLeastPerClass, options.seed);
  } else {
    selection_rows_.resize(static_cast<std::size_t>(samples.size()));
    std::iota(selection_rows_.begin(), selection_rows_.end(), Index{0});
  }
  selection_spectra_ = spectra_(selection_rows_, Eigen::all);
  distances_ = std::make_shared<const Matrix>(squared_distances(selection_spectra_));
}

TrainedClass ClassTrainer::train(int c, const std::function<void()>& on_evaluation) const {
  const SubspaceModel subspace = class_subspace(c);
  const Vector labels = labels_of(c);
  BinaryProblem problem{subspace.directions, selection_spectra_ * subspace.directions,
                        distances_,          labels(selection_rows_),
                        subspace.variances,  subspace.noise_variance};
  if (options_.criterion == CriterionKind::leave_one_out && options_.family != KernelFamily::gaussian) {
    problem.folds = projection_folds(spectra_, labels, selection_rows_, subspace.dimension());
  }
  return fit(c, subspace.directions,
             select_hyperparameters(problem, options_.family, options_.criterion, {DescentOptions{}, on_evaluation}));
}

TrainedClass ClassTrainer::fit(int c, const Selection& selection) const {
  return fit(c, class_subspace(c).directions, selection);
}

Vector ClassTrainer::labels_of(int c) const {
  Vector labels(samples_.size());
  for (std::size_t i = 0; i < samples_.labels.size(); ++i) {
    labels(static_cast<Index>(i)) = samples_.labels[i] == c ? 1 : -1;
  }
  return labels;
}

SubspaceModel ClassTrainer::class_subspace(int c) const {
  return subspace_model(class_statistics(spectra_(class_rows(samples_, c), Eigen::all)), options_.dimension);
}

TrainedClass ClassTrainer::fit(int c, const Matrix& class_directions, const Selection& selection) const {
  const Hyperparameters& parameters = selection.parameters;
  const KernelWeights& weights = parameters.weights;
  // The Gaussian kernel has no directions, and a class without variance was given the Gaussian kernel.
  const Matrix directions = class_directions.leftCols(weights.directional.size());
  const MahalanobisKernel kernel(directions, weights.directional, weights.isotropic);
  const Vector labels = labels_of(c);
  SolverOptions solver;
  solver.largest_factor = options_.largest_factor;
  const MarginSolution margin = solve_margin(KernelForm(kernel, spectra_), labels, parameters.C, nullptr, solver);
  const std::string& name = samples_.classes[static_cast<std::size_t>(c)].name;
  if (margin.stop == SolverStop::not_positive) {
    throw DataError("class '" + name + "': its kernel matrix is not positive definite to working precision");
  }

  TrainedClass trained;
  trained.left_out = leave_one_out_decisions(
      margin, labels,
      margin.inverse_diagonal.size() > 0 ? margin.inverse_diagonal : leave_one_out_inverse(margin).diagonal());
  BinaryMachine& machine = trained.machine;
  machine.samples = std::count(samples_.labels.begin(), samples_.labels.end(), c);
  machine.directions = directions;
  machine.weights = weights.directional;
  machine.isotropic_weight = weights.isotropic;
  machine.C = parameters.C;
  machine.bias = margin.bias;
  machine.support = margin.support;
  machine.coefficients = margin.coefficients(margin.support);
  machine.kkt_violation = margin.kkt_violation;
  machine.solver_stop = to_string(margin.stop);
  machine.selection = {to_string(options_.criterion), selection.value, selection.evaluations, to_string(selection.stop),
                       selection.trace};
  if (selection.trivial) {
    machine.selection.stop_reason += " on the trivial plateau T = n - 1";
  }
  return trained;
}

Vector decision_values(const BinaryMachine& machine, const Matrix& support_spectra, const Matrix& spectra) {
  const MahalanobisKernel kernel(machine.directions, machine.weights, machine.isotropic_weight);
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
