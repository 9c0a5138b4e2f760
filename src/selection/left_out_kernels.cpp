// Left-out decision values of machines whose kernel is not the Gaussian one.
#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/kernel/metric_kernel.hpp"
#include "parsimap/svm/margin_problem.hpp"

#include "left_out.hpp"

namespace parsimap {
namespace {

// The machine of one class without a fold, at one point after the other.
class FoldMachine {
 public:
  // `classes_of` are those of the training rows, `weights` their shares of C.
  FoldMachine(const std::vector<int>& classes_of, int c, Vector weights)
      : labels_(static_cast<Index>(classes_of.size())), weights_(std::move(weights)) {
    std::transform(classes_of.begin(), classes_of.end(), labels_.begin(),
                   [c](int other) { return other == c ? 1 : -1; });
  }

  // A machine needs both sides. Without it, a class that is alone is certain and one without samples impossible.
  [[nodiscard]] bool one_sided() const { return (labels_.array() > 0).all() || (labels_.array() < 0).all(); }
  [[nodiscard]] double certain_value() const {
    return labels_.size() > 0 && labels_(0) > 0 ? 1.0 : -std::numeric_limits<double>::infinity();
  }

  // Decision values of the held-out samples. Starts from the machine of the point before.
  [[nodiscard]] Vector decisions(const Matrix& training, const Matrix& to_held, double C) {
    const Vector penalties = C * weights_;
    const MarginSolution margin =
        solve_margin(DenseQuadraticForm(training), labels_, penalties, start_.size() > 0 ? &start_ : nullptr);
    start_ = margin.decision;
    return (to_held * margin.coefficients).array() + margin.bias;
  }

 private:
  Vector labels_;
  Vector weights_;
  Vector start_;
};

// The machines of all classes that have a kernel in common, without a fold.
class FoldMachines {
 public:
  FoldMachines(KernelOfWidth among, KernelOfWidth to_held, std::vector<FoldMachine> machines)
      : among_(std::move(among)), to_held_(std::move(to_held)), machines_(std::move(machines)) {}

  // Decision values of the held-out samples at one point, held x machines. Points come width by width.
  [[nodiscard]] Matrix decisions(const MachinePoint& point, const std::function<void()>& on_classifier) {
    if (width_ != point.width) {
      width_ = point.width;
      training_kernel_ = among_(point.width);
      held_kernel_ = to_held_(point.width);
    }
    Matrix values(held_kernel_.rows(), static_cast<Index>(machines_.size()));
    for (std::size_t m = 0; m < machines_.size(); ++m) {
      auto column = values.col(static_cast<Index>(m));
      if (machines_[m].one_sided()) {
        column.setConstant(machines_[m].certain_value());
        continue;
      }
      if (on_classifier) {
        on_classifier();
      }
      column = machines_[m].decisions(training_kernel_, held_kernel_, point.C);
    }
    return values;
  }

 private:
  KernelOfWidth among_;
  KernelOfWidth to_held_;
  std::vector<FoldMachine> machines_;
  double width_ = 0;  // of the kernel matrices; none yet
  Matrix training_kernel_;
  Matrix held_kernel_;
};

}  // namespace

std::vector<Matrix> LeftOutScorer::scores(const MetricKernel& kernel, const FoldMetric& metric,
                                          const std::vector<MachinePoint>& points, int threads,
                                          const std::function<void()>& on_classifier) const {
  const std::vector<std::vector<int>> groups = classes_by_kernel(kernel, static_cast<int>(classes_));
  std::vector<Matrix> scores(points.size(), Matrix(spectra_.rows(), static_cast<Index>(classes_)));
  parallel_for(static_cast<Index>(groups.size()) * kLeftOutFolds, threads, [&](Index task) {
    const Index fold = task / static_cast<Index>(groups.size());
    const std::vector<int>& group = groups[static_cast<std::size_t>(task) % groups.size()];
    const Indices& rows = training_rows_[static_cast<std::size_t>(fold)];
    const Indices& held = held_rows_[static_cast<std::size_t>(fold)];
    if (held.empty()) {
      return;
    }
    std::vector<int> classes_of;
    std::transform(rows.begin(), rows.end(), std::back_inserter(classes_of),
                   [&](Index row) { return labels_[static_cast<std::size_t>(row)]; });
    std::vector<ClassMetric> metrics;
    std::vector<FoldMachine> of_classes;
    for (const int c : group) {
      metrics.push_back(metric(fold, c));
      of_classes.emplace_back(classes_of, c, sample_weights(weights_, classes_of));
    }
    const Matrix training = spectra_(rows, Eigen::all);
    FoldMachines machines(kernel_of_width(kernel, metrics, training, training),
                          kernel_of_width(kernel, metrics, spectra_(held, Eigen::all), training),
                          std::move(of_classes));
    for (std::size_t k = 0; k < points.size(); ++k) {
      scores[k](held, group) = machines.decisions(points[k], on_classifier);
    }
  });
  return scores;
}

}  // namespace parsimap
