#include "parsimap/selection/projection_folds.hpp"

#include <algorithm>

#include "parsimap/hdda/class_statistics.hpp"

namespace parsimap {
namespace {

// Of the class, half of whose samples still have a variance.
constexpr Index kFewestSamples = 4;

// The fold of every sample, 0 and 1 in turn within the class and within the others.
std::vector<int> alternate(const Vector& labels) {
  std::vector<int> folds;
  int of_class = 0;
  int of_rest = 0;
  for (const double label : labels) {
    int& next = label > 0 ? of_class : of_rest;
    folds.push_back(next);
    next = 1 - next;
  }
  return folds;
}

}  // namespace

std::vector<ProjectionFold> projection_folds(const Matrix& spectra, const Vector& labels, const Indices& rows,
                                             Index dimension) {
  if ((labels.array() > 0).count() < kFewestSamples) {
    return {};
  }
  const std::vector<int> fold_of = alternate(labels);
  const Matrix selected = spectra(rows, Eigen::all);
  std::vector<ProjectionFold> folds(2);
  for (int fold = 0; fold < 2; ++fold) {
    Indices seen;
    for (Index i = 0; i < labels.size(); ++i) {
      if (labels(i) > 0 && fold_of[static_cast<std::size_t>(i)] != fold) {
        seen.push_back(i);
      }
    }
    const ClassStatistics statistics = class_statistics(spectra(seen, Eigen::all));
    const Index known = std::min(dimension, statistics.eigenvectors.cols());
    ProjectionFold& target = folds[static_cast<std::size_t>(fold)];
    target.projections = Matrix::Zero(selected.rows(), dimension);
    target.projections.leftCols(known) = selected * statistics.eigenvectors.leftCols(known);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (fold_of[static_cast<std::size_t>(rows[k])] == fold) {
        target.held_out.push_back(static_cast<Index>(k));
      }
    }
  }
  return folds;
}

ProjectionFold subset(const ProjectionFold& fold, const Indices& rows) {
  ProjectionFold part{fold.projections(rows, Eigen::all), {}};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (std::binary_search(fold.held_out.begin(), fold.held_out.end(), rows[k])) {
      part.held_out.push_back(static_cast<Index>(k));
    }
  }
  return part;
}

}  // namespace parsimap
