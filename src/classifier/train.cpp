#include "parsimap/classifier/train.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "parsimap/classifier/calibration.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/samples/split.hpp"
#include "parsimap/selection/leave_one_out.hpp"
#include "parsimap/selection/select.hpp"
#include "parsimap/svm/margin_problem.hpp"

namespace parsimap {
namespace {

// Samples of a class that the selection subset holds at least.
constexpr Index kLeastPerClass = 50;

struct TrainedMachine {
  BinaryMachine machine;  // its support still indexes training samples
  Vector left_out;        // leave-one-out decision values, n
};

class OneVsAllTrainer {
 public:
  OneVsAllTrainer(const SampleSet& samples, const TrainingOptions& options)
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

  Model train(const Progress& progress) {
    const auto classes = static_cast<Index>(samples_.classes.size());
    std::vector<TrainedMachine> machines(samples_.classes.size());
    std::mutex mutex;
    Index done = 0;
    // Also reported, unchanged, at every evaluation, so that whoever listens can stop a long search.
    const auto report = [&](Index more) {
      const std::lock_guard lock(mutex);
      done += more;
      if (progress) {
        progress(static_cast<double>(done) / static_cast<double>(classes));
      }
    };
    parallel_for(classes, options_.threads, [&](Index c) {
      machines[static_cast<std::size_t>(c)] = train_class(static_cast<int>(c), [&] { report(0); });
      report(1);
    });
    return assemble(machines);
  }

 private:
  TrainedMachine train_class(int c, const std::function<void()>& on_evaluation) const {
    const BinaryProblem problem = binary_problem(c);
    const BinaryProblem chosen = selection_rows_.empty() ? problem : subset(problem, selection_rows_);
    return fit(c, problem,
               select_hyperparameters(chosen, options_.family, options_.criterion, {DescentOptions{}, on_evaluation}));
  }

  [[nodiscard]] BinaryProblem binary_problem(int c) const {
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

  [[nodiscard]] TrainedMachine fit(int c, const BinaryProblem& problem, const Selection& selection) const {
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

    TrainedMachine trained;
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
  [[nodiscard]] MarginSolution solve_on_all(const Matrix& kernel, const Vector& labels, double C) const {
    const DenseQuadraticForm form(kernel);
    if (selection_rows_.empty()) {
      return solve_margin(form, labels, C);
    }
    const Matrix fewer = kernel(selection_rows_, selection_rows_);
    const MarginSolution part = solve_margin(DenseQuadraticForm(fewer), labels(selection_rows_), C);
    const Vector start = form.product(selection_rows_, part.coefficients).array() + part.bias;
    return solve_margin(form, labels, C, &start);
  }

  Model assemble(std::vector<TrainedMachine>& machines) const {
    Model model;
    model.classes = samples_.classes;
    model.family = options_.family;
    model.scaling_rule = options_.scaling;
    model.scaling = scaling_;
    Matrix left_out(samples_.size(), static_cast<Index>(machines.size()));
    std::vector<Index> position(static_cast<std::size_t>(samples_.size()), -1);
    for (std::size_t c = 0; c < machines.size(); ++c) {
      left_out.col(static_cast<Index>(c)) = machines[c].left_out;
      for (const Index i : machines[c].machine.support) {
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
    model.support_spectra = spectra_(union_rows, Eigen::all);
    for (TrainedMachine& trained : machines) {
      for (Index& row : trained.machine.support) {
        row = position[static_cast<std::size_t>(row)];
      }
      model.machines.push_back(std::move(trained.machine));
    }
    model.softmax_slope = fit_softmax_slope(left_out, samples_.labels);
    model.provenance.training_pixels = samples_.size();
    model.provenance.leave_one_out_accuracy = argmax_accuracy(left_out, samples_.labels);
    return model;
  }

  const SampleSet& samples_;
  TrainingOptions options_;
  Scaling scaling_;
  Matrix spectra_;                           // scaled
  std::shared_ptr<const Matrix> distances_;  // of all samples, shared by the classes
  Indices selection_rows_;                   // empty: all
};

}  // namespace

std::int64_t training_bytes(Index samples, int threads) {
  const auto matrix = static_cast<std::int64_t>(sizeof(double)) * samples * samples;
  // The system, its factor, the inverse and the factor's inverse, each of a quarter of the kernel matrix.
  return matrix * (1 + 2 * std::int64_t{threads});
}

Model train_one_vs_all(const SampleSet& samples, const TrainingOptions& options, const Progress& progress) {
  return OneVsAllTrainer(samples, options).train(progress);
}

}  // namespace parsimap
