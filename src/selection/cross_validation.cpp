#include "parsimap/selection/cross_validation.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <tuple>

#include "parsimap/core/error.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/svm/l2_svm.hpp"
#include "parsimap/validation/folds.hpp"

namespace parsimap {
namespace {

// w_0 / 2 times the mean squared distance of the samples, and C.
constexpr double kGridWidths[] = {1e-3, 1e-2, 1e-1, 1, 10, 100};
constexpr double kGridPenalties[] = {1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5};

void check_classes(const std::vector<int>& labels, std::size_t classes) {
  const auto enough = std::ranges::count_if(class_counts(labels, classes), [](Index count) { return count >= 2; });
  if (enough < 2) {
    throw DataError("cross-validation needs two classes with at least two training samples; classes with so many: " +
                    std::to_string(enough) + " of " + std::to_string(classes));
  }
}

// One fold left out, with one kernel: the samples of the others train one classifier per class.
class LeftOutFold {
 public:
  // `gram` is the kernel between all samples, `fold_of` the fold of each.
  LeftOutFold(const Matrix& gram, const std::vector<int>& labels, const std::vector<Index>& fold_of, Index fold) {
    const FoldRows rows = rows_of_fold(fold_of, fold);
    training_labels_ = values_at(labels, rows.train);
    held_labels_ = values_at(labels, rows.test);
    // Classes without a training sample in this fold have no classifier; their left-out samples count as errors.
    classes_ = distinct(training_labels_);
    training_gram_ = gram(rows.train, rows.train);
    held_gram_ = gram(rows.test, rows.train);
    starts_.resize(classes_.size());
  }

  // The number of left-out samples that are classified correctly. Every classifier starts from its decision function of
  // the call before.
  [[nodiscard]] Index correct(double C) {
    const auto count = static_cast<Index>(classes_.size());
    // The classifiers of two classes have decision functions of opposite sign, so that one of them is enough.
    const Index trained = count == 2 ? 1 : count;
    Matrix decisions(held_gram_.rows(), count);
    for (Index c = 0; c < trained; ++c) {
      decisions.col(c) = held_decision(c, C);
    }
    if (count == 2) {
      decisions.col(1) = -decisions.col(0);
    }
    Index right = 0;
    for (Index i = 0; i < decisions.rows(); ++i) {
      // Left-out samples get the class of the largest decision value, the first of equal ones.
      Index winner = 0;
      decisions.row(i).maxCoeff(&winner);
      right += classes_[static_cast<std::size_t>(winner)] == held_labels_[static_cast<std::size_t>(i)] ? 1 : 0;
    }
    return right;
  }

 private:
  // The decision values of the held-out samples by the classifier of the c-th class that occurs in training.
  Vector held_decision(Index c, double C) {
    const auto position = static_cast<std::size_t>(c);
    const Vector signs = labels_against_rest(training_labels_, classes_[position]);
    Vector& start = starts_[position];
    const MarginSolution margin =
        solve_margin(DenseQuadraticForm(training_gram_), signs, C, start.size() > 0 ? &start : nullptr);
    start = margin.decision;
    return (held_gram_ * margin.coefficients).array() + margin.bias;
  }

  std::vector<int> training_labels_;
  std::vector<int> held_labels_;
  std::vector<int> classes_;  // that occur in training, ascending
  Matrix training_gram_;
  Matrix held_gram_;
  std::vector<Vector> starts_;  // by class: training decision values to start from, empty before the first call
};

}  // namespace

GridSearch cross_validated_grid(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes,
                                const GridOptions& options) {
  check_classes(labels, classes);
  const auto distances = std::make_shared<const Matrix>(squared_distances(spectra));
  const double mean_distance = distances->mean();
  if (!(mean_distance > 0)) {
    throw DataError("cross-validation needs training samples that differ; all spectra are equal");
  }
  const TrainingGeometry geometry(Matrix(spectra.rows(), 0), distances);
  const auto units = mapped<SampleUnit>(consecutive(spectra.rows()), [](Index i) { return SampleUnit{i}; });
  const std::vector<Index> fold_of = assign_folds(labels, classes, units, options.folds, options.seed, 0);
  GridSearch search;
  // Kernel by kernel, since all penalties share the kernel matrix; and fold by fold within, since a classifier starts
  // from the one with the next smaller penalty on the same samples.
  for (const double width : kGridWidths) {
    // The grid is in w_0/2 times the mean squared distance, so that it suits data of any scale.
    const double isotropic = 2 * width / mean_distance;
    const Matrix gram = geometry.gram({Vector(), isotropic});
    std::vector<Index> right(std::size(kGridPenalties), 0);
    for (Index f = 0; f < options.folds; ++f) {
      LeftOutFold fold(gram, labels, fold_of, f);
      for (std::size_t k = 0; k < right.size(); ++k) {
        if (options.on_evaluation) {
          options.on_evaluation();
        }
        right[k] += fold.correct(kGridPenalties[k]);
        ++search.evaluations;
      }
    }
    for (std::size_t k = 0; k < right.size(); ++k) {
      search.cells.push_back(
          {isotropic, kGridPenalties[k], static_cast<double>(right[k]) / static_cast<double>(labels.size())});
    }
  }
  // Equal accuracies: the smaller C, then the wider kernel.
  const GridCell best = *std::ranges::min_element(
      search.cells, {}, [](const GridCell& cell) { return std::tuple(-cell.accuracy, cell.C, cell.isotropic); });
  search.best = {{Vector(), best.isotropic}, best.C};
  search.accuracy = best.accuracy;
  return search;
}

}  // namespace parsimap
