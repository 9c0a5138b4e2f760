#include "parsimap/selection/left_out.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/kernel/mahalanobis_kernel.hpp"
#include "parsimap/svm/margin_problem.hpp"

namespace parsimap {
namespace {

// Squared distances between the rows of `a` and those of `b`.
Matrix squared_distances_between(const Matrix& a, const Matrix& b) {
  Matrix distances = -2 * a * b.transpose();
  distances.colwise() += a.rowwise().squaredNorm();
  distances.rowwise() += b.rowwise().squaredNorm().transpose();
  return distances.cwiseMax(0.0);
}

// The machines of one class and one fold, at every point, with penalties of C times `weights`: decision values of the
// held-out samples, held x points.
Matrix held_out_decisions(const Matrix& training, const Vector& labels, const Vector& weights, const Matrix& held,
                          const std::vector<MachinePoint>& points, const std::function<void()>& on_machine) {
  const Matrix between = squared_distances_between(training, training);
  const Matrix to_training = squared_distances_between(held, training);
  Matrix decisions(held.rows(), static_cast<Index>(points.size()));
  Matrix kernel;
  Matrix held_kernel;
  Vector start;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (on_machine) {
      on_machine();
    }
    const auto& [width, C] = points[k];
    if (k == 0 || width != points[k - 1].width) {
      kernel = (-0.5 * width * between).array().exp();
      kernel.diagonal().setOnes();
      held_kernel = (-0.5 * width * to_training).array().exp();
    }
    const Vector penalties = C * weights;
    const MarginSolution margin = solve_margin(DenseQuadraticForm(kernel), labels, penalties, k > 0 ? &start : nullptr);
    start = margin.decision;
    decisions.col(static_cast<Index>(k)) = (held_kernel * margin.coefficients).array() + margin.bias;
  }
  return decisions;
}

}  // namespace

LeftOutUnits left_out_units(const std::vector<int>& labels, std::size_t classes,
                            const std::vector<std::int64_t>& groups) {
  std::vector<std::set<std::int64_t>> regions(classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    regions[static_cast<std::size_t>(labels[i])].insert(groups[i]);
  }
  LeftOutUnits result{groups, {}};
  for (const std::set<std::int64_t>& of_class : regions) {
    result.by_region.push_back(static_cast<Index>(of_class.size()) >= kLeftOutFolds);
  }
  std::int64_t next = groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!result.by_region[static_cast<std::size_t>(labels[i])]) {
      result.units[i] = next++;
    }
  }
  return result;
}

LeftOutScorer::LeftOutScorer(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes,
                             std::vector<Index> fold_of, ClassWeights weights)
    : spectra_(spectra),
      labels_(labels),
      classes_(classes),
      weights_(weights),
      training_rows_(static_cast<std::size_t>(kLeftOutFolds)),
      held_rows_(static_cast<std::size_t>(kLeftOutFolds)) {
  for (std::size_t i = 0; i < fold_of.size(); ++i) {
    for (Index fold = 0; fold < kLeftOutFolds; ++fold) {
      std::vector<Indices>& rows = fold == fold_of[i] ? held_rows_ : training_rows_;
      rows[static_cast<std::size_t>(fold)].push_back(static_cast<Index>(i));
    }
  }
}

std::vector<Matrix> LeftOutScorer::scores(const FoldMetric& metric, const ClassPoints& points, int threads,
                                          const std::function<void()>& on_machine) const {
  const auto classes = static_cast<Index>(classes_);
  std::vector<Matrix> scores(points(0).size(), Matrix(spectra_.rows(), classes));
  parallel_for(classes * kLeftOutFolds, threads, [&](Index task) {
    const Index fold = task / classes;
    const Index c = task % classes;
    const Indices& rows = training_rows_[static_cast<std::size_t>(fold)];
    const Indices& held = held_rows_[static_cast<std::size_t>(fold)];
    if (held.empty()) {
      return;
    }
    Vector labels(rows.size());
    std::vector<int> classes_of;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      classes_of.push_back(labels_[static_cast<std::size_t>(rows[k])]);
      labels(static_cast<Index>(k)) = classes_of.back() == c ? 1 : -1;
    }
    if ((labels.array() > 0).all() || (labels.array() < 0).all()) {
      // The class alone is certain, and a class without samples impossible.
      const double value = labels.size() > 0 && labels(0) > 0 ? 1.0 : -std::numeric_limits<double>::infinity();
      for (Matrix& of_point : scores) {
        of_point.col(c)(held).setConstant(value);
      }
      return;
    }
    const MahalanobisKernel kernel(metric(fold, static_cast<int>(c)));
    const Eigen::RowVectorXd origin = spectra_(rows, Eigen::all).colwise().mean();
    const Matrix decisions = held_out_decisions(
        kernel.map(spectra_(rows, Eigen::all).rowwise() - origin), labels, sample_weights(weights_, classes_of),
        kernel.map(spectra_(held, Eigen::all).rowwise() - origin), points(static_cast<int>(c)), on_machine);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      scores[k].col(c)(held) = decisions.col(static_cast<Index>(k));
    }
  });
  return scores;
}

}  // namespace parsimap
