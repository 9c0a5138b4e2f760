#include "centre_training.hpp"

#include <algorithm>
#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/svm/reduced_problem.hpp"

#include "centre_form.hpp"

namespace parsimap {
namespace {

// Kernel values of single precision are off by some 1e-7.
constexpr double kRidge = 1e-6;

// Of the gradient, over that at f = 0. No label depends on what is left.
constexpr double kTolerance = 1e-6;

// Samples that are rounded to single precision at the same time.
constexpr Index kBlock = 4096;

}  // namespace

CentreTraining::CentreTraining(const SampleSet& samples, const Matrix& columns, const TrainingOptions& options,
                               Index count)
    : samples_(samples),
      options_(options),
      centres_(draw_evenly(samples.labels, samples.classes.size(), count, 1, options.seed)),
      spectra_(columns.rows(), columns.cols()),
      centre_spectra_(columns(centres_, Eigen::all)) {
  const Eigen::RowVectorXd origin = centre_spectra_.colwise().mean();
  centre_spectra_.rowwise() -= origin;
  parallel_for((columns.rows() + kBlock - 1) / kBlock, options.threads, [&](Index block) {
    const Index first = block * kBlock;
    const Index size = std::min(kBlock, columns.rows() - first);
    spectra_.middleRows(first, size) = (columns.middleRows(first, size).rowwise() - origin).cast<float>();
  });
}

BinaryMachine CentreTraining::fit(int c, const ClassChoice& choice, const Work& work) const {
  const Vector labels = labels_against_rest(samples_, c);
  const Vector penalties = choice.C * sample_weights(options_.class_weights, samples_.labels);
  ReducedOptions solver;
  solver.ridge = kRidge;
  solver.tolerance = kTolerance;
  solver.threads = options_.threads;
  solver.work = work;
  const ReducedSolution solution =
      solve_reduced(CentreForm<float>(choice.metric, spectra_, centre_spectra_, work), labels, penalties, solver);
  if (solution.stop == SolverStop::not_positive) {
    throw DataError("class '" + samples_.classes[static_cast<std::size_t>(c)].name +
                    "': the kernel matrix of its centres is not positive definite to working precision");
  }
  const CentreForm<double> exact(choice.metric, spectra_, centre_spectra_, work);
  BinaryMachine machine = described_machine(samples_, c, choice);
  machine.bias = solution.bias;
  machine.support = centres_;
  machine.coefficients = solution.coefficients;
  machine.kkt_violation = reduced_violation(exact, labels, penalties, solution, options_.threads);
  machine.solver_stop = to_string(solution.stop);
  return machine;
}

double CentreTraining::operations(Index samples, Index columns, Index centres, Index features) {
  // Kernel values of all samples for every Newton point, and products of those inside the margin; a third more for the
  // parts of the samples that the method starts with.
  constexpr double kPoints = 5 * 4.0 / 3;
  constexpr double kInside = 0.5;
  const double values = parsimap::operations(samples, centres, kernel_operations(columns, features));
  return kPoints * values + kInside * parsimap::operations(samples, centres, centres);
}

std::int64_t CentreTraining::bytes(Index samples, Index columns, Index centres, int threads) {
  // Spectra in single precision; labels, penalties, decisions and their changes, and sets of samples; the systems of
  // the centres, and kernel values in work.
  constexpr Index kVectors = 16;
  constexpr Index kSystems = 8;
  constexpr Index kRows = 1024;
  constexpr Index kRowsOfThread = 1024;
  const Index singles = samples * columns;
  const Index doubles = kVectors * samples + centres * (kSystems * centres + kRows + threads * kRowsOfThread);
  return static_cast<std::int64_t>(sizeof(float)) * singles + static_cast<std::int64_t>(sizeof(double)) * doubles;
}

}  // namespace parsimap
