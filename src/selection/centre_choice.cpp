#include "centre_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/svm/l2_svm.hpp"
#include "parsimap/svm/reduced_problem.hpp"

namespace parsimap {
namespace {

// Training pixels that may become centres, at most.
constexpr Index kCandidates = 800;
// Samples by whose errors the value of a candidate is computed, at most.
constexpr Index kScored = 1000;
// The first batch is chosen without any classifier, by the slope of the objective at f = 0; each further one doubles
// the number of centres, so that classifiers are trained only a few times.
constexpr Index kFirstBatch = 16;
// Classifiers that guide the choice are smoother than exact ones: hard margins would have centres follow single
// samples.
constexpr double kGuidingPenalty = 1e-2;
// Far from the minimum that rounding allows, and near enough for decision values of six digits.
constexpr double kTolerance = 1e-7;

// Up to `most` of 0 .. count - 1, evenly spaced.
Indices spaced(Index count, Index most) {
  const Index size = std::min(count, most);
  Indices rows;
  for (Index i = 0; i < size; ++i) {
    rows.push_back(i * count / size);
  }
  return rows;
}

// k^2 of all samples with the one at `row`, from their coordinates in a kernel.
Eigen::ArrayXd squared_kernel(const ProfileTerm& profile, const Matrix& coordinates, Index row) {
  // exp(-weight |a - b|^2): the weight 1/2 gives the kernel value k, and 1 its square.
  const auto gaussian = [&](Index first, Index count, double weight) -> Eigen::ArrayXd {
    const auto part = coordinates.middleCols(first, count);
    const Vector distances = (part.rowwise() - part.row(row)).rowwise().squaredNorm();
    return (-weight * distances.array()).exp();
  };
  const Index p = coordinates.cols() - profile.features;
  if (profile.features == 0) {
    return gaussian(0, p, 1);
  }
  return ((1 - profile.share) * gaussian(0, p, 0.5) + profile.share * gaussian(p, profile.features, 0.5)).square();
}

}  // namespace

CentreChoice::CentreChoice(Matrix spectra, std::vector<int> labels, const std::vector<ClassParameters>& classifiers,
                           ClassWeights class_weights, int threads, const Vector& own)
    : spectra_(std::move(spectra)),
      labels_(std::move(labels)),
      classifiers_(classifiers),
      threads_(threads),
      weights_(sample_weights(class_weights, labels_, own)),
      candidates_(spaced(spectra_.rows(), kCandidates)) {}

void CentreChoice::grow(Index count) {
  count = std::min(count, static_cast<Index>(candidates_.size()));
  while (static_cast<Index>(taken_.size()) < count) {
    const auto have = static_cast<Index>(taken_.size());
    take(worth(), std::min(count, std::max(kFirstBatch, 2 * have)));
  }
}

std::vector<CentreChoice::Classifiers> CentreChoice::fit(const std::vector<double>& penalty_factors) const {
  const auto classes = static_cast<Index>(classifiers_.size());
  const auto m = static_cast<Index>(centres_.size());
  std::vector<Classifiers> fitted(penalty_factors.size(), {Matrix::Zero(m, classes), Vector(classes),
                                                           Vector::Zero(classes), Matrix(spectra_.rows(), classes)});
  parallel_for(classes, threads_, [&](Index c) { fit_class(c, penalty_factors, fitted); });
  return fitted;
}

void CentreChoice::fit_class(Index c, const std::vector<double>& penalty_factors,
                             std::vector<Classifiers>& fitted) const {
  const Vector labels = labels_against_rest(labels_, static_cast<int>(c));
  // A class that is absent is impossible, and one that is alone is certain: there is nothing to train.
  if (!has_both_classes(labels)) {
    for (Classifiers& classifiers : fitted) {
      classifiers.biases(c) = labels.size() > 0 && labels(0) > 0 ? 1.0 : -std::numeric_limits<double>::infinity();
      classifiers.decisions.col(c) = labels;
    }
    return;
  }
  const ClassParameters& classifier = classifiers_[static_cast<std::size_t>(c)];
  // The kernel matrix of all samples and centres serves all penalties; its rows at the centres are K_mm.
  const Matrix values = MahalanobisKernel(classifier.metric).block(spectra_, spectra_(centres_, Eigen::all));
  const Matrix between = values(centres_, Eigen::all);
  const DenseBasisForm form(values, between);
  ReducedOptions options;
  options.tolerance = kTolerance;
  for (std::size_t k = 0; k < fitted.size(); ++k) {
    const ReducedSolution solution = solve_reduced(form, labels, penalty_factors[k] * classifier.C * weights_, options);
    fitted[k].coefficients.col(c) = solution.coefficients;
    fitted[k].biases(c) = solution.bias;
    fitted[k].violations(c) = solution.violation;
    fitted[k].decisions.col(c) = solution.decision;
  }
}

Matrix CentreChoice::decide(const Classifiers& classifiers, const Matrix& spectra) const {
  const Matrix centres = spectra_(centres_, Eigen::all);
  Matrix decisions(spectra.rows(), classifiers.biases.size());
  parallel_for(decisions.cols(), threads_, [&](Index c) {
    const MahalanobisKernel kernel(classifiers_[static_cast<std::size_t>(c)].metric);
    decisions.col(c) =
        (kernel.block(spectra, centres) * classifiers.coefficients.col(c)).array() + classifiers.biases(c);
  });
  return decisions;
}

// The values of all candidates, added over the classes; those that are taken have -1. The values of each class are
// divided by their sum, so that all classes count equally, whatever the scale of their objectives.
Vector CentreChoice::worth() const {
  const auto classes = static_cast<Index>(classifiers_.size());
  Classifiers guides;
  if (centres_.empty()) {
    guides.decisions = Matrix::Zero(spectra_.rows(), classes);
  } else {
    guides = std::move(fit({kGuidingPenalty}).front());
  }
  const Indices rows = spaced(spectra_.rows(), kScored);
  Matrix by_class(static_cast<Index>(candidates_.size()), classes);
  parallel_for(classes, threads_, [&](Index c) { by_class.col(c) = worth_to(c, guides, rows); });
  Vector sum = Vector::Zero(by_class.rows());
  for (Index c = 0; c < classes; ++c) {
    const double all = by_class.col(c).sum();
    if (all > 0) {
      sum += by_class.col(c) / all;
    }
  }
  sum(taken_).setConstant(-1);
  return sum;
}

// g_j^2 / h_jj of all candidates: with g_j and h_jj the derivatives of the objective of class c in the coefficient of
// candidate j, this is twice the decrease of the objective when only this kernel is added, to second order. Up to its
// sign g_j is sum_i C_i slack_i y_i k_ij - (K g)_j, and h_jj is k_jj plus the sum of C_i k_ij^2 over the samples inside
// the margin, with k_jj = 1. The sums are over some of the samples, with penalties that are as much larger as these are
// fewer.
Vector CentreChoice::worth_to(Index c, const Classifiers& guides, const Indices& rows) const {
  const ClassParameters& classifier = classifiers_[static_cast<std::size_t>(c)];
  const MahalanobisKernel kernel(classifier.metric);
  const Matrix candidates = spectra_(candidates_, Eigen::all);
  const Matrix values = kernel.block(spectra_(rows, Eigen::all), candidates);
  const double share = static_cast<double>(spectra_.rows()) / static_cast<double>(rows.size());
  const Vector labels = labels_against_rest(labels_, static_cast<int>(c))(rows);
  const Vector decisions = guides.decisions.col(c)(rows);
  const Vector penalties = share * kGuidingPenalty * classifier.C * weights_(rows);
  const Vector slack = (1 - labels.array() * decisions.array()).max(0.0);
  const Vector inside = (slack.array() > 0).cast<double>();
  Vector gradient = values.transpose() * penalties.cwiseProduct(slack).cwiseProduct(labels);
  if (!centres_.empty()) {
    gradient -= kernel.block(candidates, spectra_(centres_, Eigen::all)) * guides.coefficients.col(c);
  }
  const Vector curvature = (values.cwiseAbs2().transpose() * penalties.cwiseProduct(inside)).array() + 1;
  return gradient.cwiseAbs2().cwiseQuotient(curvature);
}

// Takes candidates until there are `count` centres, the worthiest first.
void CentreChoice::take(Vector worth, Index count) {
  std::vector<Matrix> coordinates;
  for (const ClassParameters& classifier : classifiers_) {
    coordinates.push_back(MahalanobisKernel(classifier.metric).map(spectra_(candidates_, Eigen::all)));
  }
  while (static_cast<Index>(taken_.size()) < count) {
    Index best = 0;
    worth.maxCoeff(&best);
    taken_.push_back(best);
    centres_.push_back(candidates_[static_cast<std::size_t>(best)]);
    // A candidate near the new centre adds little to it: of its value the part 1 - k^2 is left, in the geometric mean
    // over the kernels of the classes. The bound 1e-12 keeps the logarithm finite for candidates at the centre itself.
    Vector left = Vector::Zero(worth.size());
    for (std::size_t c = 0; c < coordinates.size(); ++c) {
      left.array() += (1 - squared_kernel(classifiers_[c].metric.profile, coordinates[c], best)).max(1e-12).log();
    }
    worth.array() *= (left.array() / static_cast<double>(coordinates.size())).exp();
    worth(taken_).setConstant(-1);
  }
}

}  // namespace parsimap
