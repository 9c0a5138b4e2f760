#include "centre_training.hpp"

#include <algorithm>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/svm/l2_svm.hpp"
#include "parsimap/svm/reduced_problem.hpp"

namespace parsimap {

// Centres whose kernel values stay in cache from their product to their exponential.
constexpr Index kTile = 256;

// Samples that are computed together: whole rows of Eigen's product kernel for every vector width, and always as many,
// so that a sample's values are rounded in the same way beside whatever others. What is taken out of a sum is then what
// was put in.
constexpr Index kRows = 144;

// -1/2 of the squared norms of the parts of coordinates: of spectra and, where there are any, of profiles.
static Matrix half_norms(const Matrix& coordinates, Index features) {
  Matrix norms(coordinates.rows(), features > 0 ? 2 : 1);
  norms.col(0) = -0.5 * coordinates.leftCols(coordinates.cols() - features).rowwise().squaredNorm();
  if (features > 0) {
    norms.col(1) = -0.5 * coordinates.rightCols(features).rowwise().squaredNorm();
  }
  return norms;
}

// From products of coordinates to exp(-1/2 |a - b|^2).
template <typename Values, typename Norms>
static void exponentials(Values& tile, const Norms& rows, const Norms& columns) {
  tile.colwise() += rows;
  tile.rowwise() += columns.transpose();
  // Not widened at the same time: such exponentials are computed one by one.
  tile = tile.array().min(typename Values::Scalar(0)).exp();
}

template <typename Scalar>
CentreForm<Scalar>::CentreForm(const ClassMetric& metric, const Spectra& spectra, const Matrix& centres, Work work)
    : spectra_(spectra), kernel_(metric), centre_matrix_(kernel_.block(centres, centres)), work_(std::move(work)) {
  centre_matrix_.diagonal().setOnes();
  const Matrix mapped = kernel_.map(centres);
  centres_ = mapped.transpose().cast<Scalar>();
  norms_ = half_norms(mapped, metric.profile.features).cast<Scalar>();
}

template <typename Scalar>
void CentreForm<Scalar>::rows(const Indices& rows, Eigen::Ref<Matrix> values) const {
  const auto count = static_cast<Index>(rows.size());
  for (Index first = 0; first < count; first += kRows) {
    const Index size = std::min(kRows, count - first);
    Matrix spectra = Matrix::Zero(kRows, spectra_.cols());
    for (Index i = 0; i < size; ++i) {
      spectra.row(i) = spectra_.row(rows[static_cast<std::size_t>(first + i)]).template cast<double>();
    }
    full_rows(spectra, values.middleRows(first, size));
  }
  count_work(work_, operations(count, centres(), kernel_operations(centres_.rows(), kernel_.profile().features)));
}

template <typename Scalar>
void CentreForm<Scalar>::full_rows(const Matrix& spectra, Eigen::Ref<Matrix> values) const {
  // k = exp(a'b - 1/2 |a|^2 - 1/2 |b|^2) of the mapped spectra a and the centres b, a tile of centres at a time: its
  // products are still in cache when their exponentials are taken. With profiles the value is (1 - mu) times this plus
  // mu times the same expression of the last q coordinates. `values` may have fewer rows than `spectra`, whose last
  // rows are then padding.
  const ProfileTerm& profile = kernel_.profile();
  const Matrix mapped = kernel_.map(spectra);
  Values coordinates;
  coordinates = mapped.cast<Scalar>();
  const Values norms = half_norms(mapped, profile.features).cast<Scalar>();
  const Index p = mapped.cols() - profile.features;
  Values tile;
  Values of_profiles;
  for (Index first = 0; first < centres(); first += kTile) {
    const Index width = std::min(kTile, centres() - first);
    const auto some = centres_.middleCols(first, width);
    tile.noalias() = coordinates.leftCols(p) * some.topRows(p);
    exponentials(tile, Norms(norms.col(0)), Norms(norms_.col(0).segment(first, width)));
    if (profile.features > 0) {
      of_profiles.noalias() = coordinates.rightCols(profile.features) * some.bottomRows(profile.features);
      exponentials(of_profiles, Norms(norms.col(1)), Norms(norms_.col(1).segment(first, width)));
      tile = static_cast<Scalar>(1 - profile.share) * tile + static_cast<Scalar>(profile.share) * of_profiles;
    }
    values.middleCols(first, width) = tile.topRows(values.rows()).template cast<double>();
  }
}

template class CentreForm<float>;
template class CentreForm<double>;

// Kernel values of single precision are off by some 1e-7.
constexpr double kRidge = 1e-6;

// Of the gradient, over that at f = 0. No label depends on what is left.
constexpr double kTolerance = 1e-6;

// Samples that are rounded to single precision at the same time.
constexpr Index kBlock = 4096;

CentreTraining::CentreTraining(const SampleSet& samples, const Matrix& columns, const TrainingOptions& options,
                               Index count)
    : samples_(samples),
      options_(options),
      centres_(draw_evenly(samples.labels, samples.classes.size(), count, 1, options.seed)),
      spectra_(columns.rows(), columns.cols()),
      centre_spectra_(columns(centres_, Eigen::all)) {
  // One origin for samples and centres, near the data. Distances do not depend on it, but the values that are rounded
  // to single precision are as small as possible. Columns are converted in blocks, so that no second copy in double
  // precision is made.
  const Eigen::RowVectorXd origin = centre_spectra_.colwise().mean();
  centre_spectra_.rowwise() -= origin;
  parallel_for((columns.rows() + kBlock - 1) / kBlock, options.threads, [&](Index block) {
    const Index first = block * kBlock;
    const Index size = std::min(kBlock, columns.rows() - first);
    spectra_.middleRows(first, size) = (columns.middleRows(first, size).rowwise() - origin).cast<float>();
  });
}

BinaryClassifier CentreTraining::fit(int c, const ClassChoice& choice, const Work& work) const {
  const Vector labels = labels_against_rest(samples_.labels, c);
  const Vector penalties = choice.C * sample_weights(options_.class_weights, samples_.labels, samples_.weights);
  ReducedOptions solver;
  solver.ridge = kRidge;
  solver.tolerance = kTolerance;
  solver.threads = options_.threads;
  solver.work = work;
  // The optimum is found with kernel values in single precision, and its violation is then computed again with values
  // in double precision: that is the number stored in the model.
  const ReducedSolution solution =
      solve_reduced(CentreForm<float>(choice.metric, spectra_, centre_spectra_, work), labels, penalties, solver);
  if (solution.stop == SolverStop::not_positive) {
    throw DataError("class '" + samples_.classes[static_cast<std::size_t>(c)].name +
                    "': the kernel matrix of its centres is not positive definite to working precision");
  }
  const CentreForm<double> exact(choice.metric, spectra_, centre_spectra_, work);
  BinaryClassifier classifier = described_classifier(samples_, c, choice);
  classifier.bias = solution.bias;
  classifier.support = centres_;
  classifier.coefficients = solution.coefficients;
  classifier.kkt_violation = reduced_violation(exact, labels, penalties, solution, options_.threads);
  classifier.solver_stop = to_string(solution.stop);
  return classifier;
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
  constexpr Index kSampleRows = 1024;
  constexpr Index kRowsOfThread = 1024;
  const Index singles = samples * columns;
  const Index doubles = kVectors * samples + centres * (kSystems * centres + kSampleRows + threads * kRowsOfThread);
  return static_cast<std::int64_t>(sizeof(float)) * singles + static_cast<std::int64_t>(sizeof(double)) * doubles;
}

}  // namespace parsimap
