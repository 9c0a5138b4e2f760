#include "parsimap/classifier/class_trainer.hpp"

#include <algorithm>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/kernel/mahalanobis_kernel.hpp"
#include "parsimap/samples/split.hpp"
#include "parsimap/selection/leave_one_out.hpp"

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
      spectra_(scaling_.apply(samples.spectra)),
      distances_(std::make_shared<const Matrix>(squared_distances(spectra_))) {
  if (options.criterion == CriterionKind::leave_one_out && samples.size() > kSelectionSamples) {
    selection_rows_ =
        draw_stratified(samples.labels, samples.classes.size(), kSelectionSamples, kLeastPerClass, options.seed);
  }
}

TrainedClass ClassTrainer::train(int c, const std::function<void()>& on_evaluation) const {
  const BinaryProblem problem = binary_problem(c);
  const BinaryProblem chosen = selection_rows_.empty() ? problem : subset(problem, selection_rows_);
  return fit(c, problem,
             select_hyperparameters(chosen, options_.family, options_.criterion, {DescentOptions{}, on_evaluation}));
}

TrainedClass ClassTrainer::fit(int c, const Selection& selection) const { return fit(c, binary_problem(c), selection); }

BinaryProblem ClassTrainer::binary_problem(int c) const {
  Indices rows;
  Vector labels = Vector::Constant(samples_.size(), -1);
  for (std::size_t i = 0; i < samples_.labels.size(); ++i) {
    if (samples_.labels[i] == c) {
      rows.push_back(static_cast<Index>(i));
      labels(static_cast<Index>(i)) = 1;
    }
  }
  const SubspaceModel subspace = subspace_model(class_statistics(spectra_(rows, Eigen::all)), options_.dimension);
  return {subspace.directions, spectra_ * subspace.directions, distances_, labels,
          subspace.variances,  subspace.noise_variance};
}

TrainedClass ClassTrainer::fit(int c, const BinaryProblem& problem, const Selection& selection) const {
  const Hyperparameters& parameters = selection.parameters;
  const bool directional = parameters.weights.directional.size() > 0;
  // A class without variance was given the Gaussian kernel, whatever the family.
  const Matrix kernel =
      family_geometry(problem, directional ? options_.family : KernelFamily::gaussian).gram(parameters.weights);
  const MarginSolution margin = solve_on_all(kernel, problem.labels, parameters.C);
  if (margin.stop == SolverStop::not_positive) {
    throw DataError("class '" + samples_.classes[static_cast<std::size_t>(c)].name +
                    "': its kernel matrix is not positive definite to working precision");
  }

  TrainedClass trained;
  trained.trace = selection.trace;
  trained.left_out = leave_one_out_decisions(margin, problem.labels, leave_one_out_inverse(margin));
  BinaryMachine& machine = trained.machine;
  machine.samples = std::count(samples_.labels.begin(), samples_.labels.end(), c);
  machine.directions = directional ? problem.directions : Matrix(samples_.spectra.cols(), 0);
  machine.weights = parameters.weights.directional;
  machine.isotropic_weight = parameters.weights.isotropic;
  machine.C = parameters.C;
  machine.bias = margin.bias;
  machine.support = margin.support;
  machine.coefficients = margin.coefficients(margin.support);
  machine.kkt_violation = margin.kkt_violation;
  machine.solver_stop = to_string(margin.stop);
  machine.selection = {to_string(options_.criterion), selection.value, selection.evaluations,
                       to_string(selection.stop)};
  if (selection.trivial) {
    machine.selection.stop_reason += " on the trivial plateau T = n - 1";
  }
  return trained;
}

// Starts from the decision function of the selection subset: few factorisations of all samples are needed then.
MarginSolution ClassTrainer::solve_on_all(const Matrix& kernel, const Vector& labels, double C) const {
  const DenseQuadraticForm form(kernel);
  if (selection_rows_.empty()) {
    return solve_margin(form, labels, C);
  }
  const Matrix fewer = kernel(selection_rows_, selection_rows_);
  const MarginSolution part = solve_margin(DenseQuadraticForm(fewer), labels(selection_rows_), C);
  const Vector start = form.product(selection_rows_, part.coefficients).array() + part.bias;
  return solve_margin(form, labels, C, &start);
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
