// Left-out decision values of machines whose kernel is not the Gaussian one.
#include "left_out.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/selection/hyperparameters.hpp"
#include "parsimap/svm/l2_svm.hpp"

namespace parsimap {
namespace {

// Squared distances between the rows of `a` and those of `b`.
Matrix squared_distances_between(const Matrix& a, const Matrix& b) {
  Matrix distances = -2 * a * b.transpose();
  distances.colwise() += a.rowwise().squaredNorm();
  distances.rowwise() += b.rowwise().squaredNorm().transpose();
  return distances.cwiseMax(0.0);
}

// Squared distances between the training samples of a fold, and from these to the samples that are held out.
struct FoldDistances {
  Matrix between;      // training x training
  Matrix to_training;  // held x training
};

// exp(-1/2 weight D) of such distances, computed anew only where the weight changes.
class FoldKernel {
 public:
  explicit FoldKernel(FoldDistances distances) : distances_(std::move(distances)) {}

  // How many samples are held out.
  [[nodiscard]] Index held() const { return distances_.to_training.rows(); }

  void set_weight(double weight) {
    if (weight == weight_) {
      return;
    }
    weight_ = weight;
    values.between = (-0.5 * weight * distances_.between).array().exp();
    values.between.diagonal().setOnes();
    values.to_training = (-0.5 * weight * distances_.to_training).array().exp();
  }

  FoldDistances values;

 private:
  FoldDistances distances_;
  double weight_ = -1;
};

// The machines of one class and one fold, at every point, with penalties of C times `weights`: decision values of the
// held-out samples, held x points. `spectra` are of distances in the metric of the class at unit width, `profiles` of
// those between profiles: distances are computed once for all points.
Matrix held_out_decisions(FoldKernel spectra, FoldKernel profiles, const Vector& labels, const Vector& weights,
                          const std::vector<MachinePoint>& points, const std::function<void()>& on_classifier) {
  Matrix decisions(spectra.held(), static_cast<Index>(points.size()));
  FoldDistances mixed;
  Vector start;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (on_classifier) {
      on_classifier();
    }
    // Points come width by width, and each machine starts from the decision function of the one before, which mostly
    // has nearly the same samples inside its margin.
    const auto& [width, C, share, profile_weight] = points[k];
    spectra.set_weight(width);
    const FoldDistances* kernel = &spectra.values;
    if (share > 0) {
      profiles.set_weight(profile_weight);
      mixed.between = (1 - share) * spectra.values.between + share * profiles.values.between;
      mixed.to_training = (1 - share) * spectra.values.to_training + share * profiles.values.to_training;
      kernel = &mixed;
    }
    const Vector penalties = C * weights;
    const MarginSolution margin =
        solve_margin(DenseQuadraticForm(kernel->between), labels, penalties, k > 0 ? &start : nullptr);
    start = margin.decision;
    decisions.col(static_cast<Index>(k)) = (kernel->to_training * margin.coefficients).array() + margin.bias;
  }
  return decisions;
}

bool any_profile(const std::vector<MachinePoint>& points) {
  return std::any_of(points.begin(), points.end(), [](const MachinePoint& point) { return point.share > 0; });
}

constexpr double kLargestLogSlope = 5;

bool is_counted(const Matrix& scores, const std::vector<int>& labels, Index i) {
  return std::isfinite(scores(i, labels[static_cast<std::size_t>(i)]));
}

Index predicted(const Matrix& scores, Index i) {
  Index best = 0;
  scores.row(i).maxCoeff(&best);
  return best;
}

bool is_wrong(const Matrix& scores, const std::vector<int>& labels, Index i) {
  return predicted(scores, i) != labels[static_cast<std::size_t>(i)];
}

// The logarithmic losses -log softmax(a f)_label of all samples at the slope a = exp(theta), their weighted mean and
// its derivative in theta: for one sample a (sum_c p_c f_c - f_label) with p = softmax(a f).
double losses_at(const Matrix& scores, const std::vector<int>& labels, const Vector& weights, double theta,
                 double& derivative, Vector& losses) {
  const double slope = std::exp(theta);
  double sum = 0;
  double derivative_sum = 0;
  double weight = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    losses(i) = 0;
    if (!is_counted(scores, labels, i)) {
      continue;
    }
    const Eigen::ArrayXd f = scores.row(i).transpose().array();
    const double largest = f.maxCoeff();
    const double own = f(labels[static_cast<std::size_t>(i)]);
    // exp(-infinity) is 0, and so is its part of the mean.
    const Eigen::ArrayXd e = (slope * (f - largest)).exp();
    const double mean = (e > 0).select(e * f, 0.0).sum() / e.sum();
    losses(i) = std::log(e.sum()) - slope * (own - largest);
    sum += weights(i) * losses(i);
    derivative_sum += weights(i) * slope * (mean - own);
    weight += weights(i);
  }
  derivative = weight > 0 ? derivative_sum / weight : 0;
  return weight > 0 ? sum / weight : 0;
}

}  // namespace

LeftOutUnits left_out_units(const std::vector<int>& labels, std::size_t classes,
                            const std::vector<std::int64_t>& groups) {
  std::vector<std::set<std::int64_t>> regions(classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    regions[static_cast<std::size_t>(labels[i])].insert(groups[i]);
  }
  // A class that lies in fewer regions than there are folds would have folds without it, or be trained on hardly any.
  LeftOutUnits result{groups, {}};
  for (const std::set<std::int64_t>& of_class : regions) {
    result.by_region.push_back(static_cast<Index>(of_class.size()) >= kLeftOutFolds);
  }
  // Units of single samples take numbers that no region has.
  std::int64_t next = groups.empty() ? 0 : *std::max_element(groups.begin(), groups.end()) + 1;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!result.by_region[static_cast<std::size_t>(labels[i])]) {
      result.units[i] = next++;
    }
  }
  return result;
}

LeftOutScorer::LeftOutScorer(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes,
                             std::vector<Index> fold_of, ClassWeights weights, Matrix profile_distances)
    : spectra_(spectra),
      labels_(labels),
      classes_(classes),
      weights_(weights),
      profile_distances_(std::move(profile_distances)),
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
                                          const std::function<void()>& on_classifier) const {
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
    // A machine needs both sides. Without it, the class that is alone is certain and one without samples impossible.
    if ((labels.array() > 0).all() || (labels.array() < 0).all()) {
      const double value = labels.size() > 0 && labels(0) > 0 ? 1.0 : -std::numeric_limits<double>::infinity();
      for (Matrix& of_point : scores) {
        of_point.col(c)(held).setConstant(value);
      }
      return;
    }
    // Coordinates in the metric of the class, about an origin near the data: distances are differences of squares.
    const MahalanobisKernel kernel(with_profile(metric(fold, static_cast<int>(c)), {}));
    const Eigen::RowVectorXd origin = spectra_(rows, Eigen::all).colwise().mean();
    const Matrix training = kernel.map(spectra_(rows, Eigen::all).rowwise() - origin);
    const Matrix left_out = kernel.map(spectra_(held, Eigen::all).rowwise() - origin);
    const std::vector<MachinePoint> of_class = points(static_cast<int>(c));
    FoldDistances profiles;
    if (any_profile(of_class)) {
      profiles = {profile_distances_(rows, rows), profile_distances_(held, rows)};
    }
    const Matrix decisions = held_out_decisions(
        FoldKernel({squared_distances_between(training, training), squared_distances_between(left_out, training)}),
        FoldKernel(std::move(profiles)), labels, sample_weights(weights_, classes_of), of_class, on_classifier);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      scores[k].col(c)(held) = decisions.col(static_cast<Index>(k));
    }
  });
  return scores;
}

LeftOutRisk left_out_risk(const Matrix& scores, const std::vector<int>& labels, const Vector& weights) {
  LeftOutRisk result;
  result.risks.resize(scores.rows());
  // First the slope with the lowest mean loss, which is a smooth problem in one variable. Then the wrong labels, which
  // do not depend on the slope, are added to the losses: the risk has both.
  const Objective objective = [&](const Vector& point, Vector& gradient) {
    return losses_at(scores, labels, weights, point(0), gradient(0), result.risks);
  };
  const Descent descent = minimise(objective, Vector::Ones(1), Vector::Constant(1, -kLargestLogSlope),
                                   Vector::Constant(1, kLargestLogSlope), DescentOptions{});
  double derivative = 0;
  result.slope = std::exp(descent.point(0));
  result.mean = losses_at(scores, labels, weights, descent.point(0), derivative, result.risks);
  for (Index i = 0; i < scores.rows(); ++i) {
    result.risks(i) += is_counted(scores, labels, i) && is_wrong(scores, labels, i) ? 1 : 0;
  }
  result.errors = left_out_errors(scores, labels, weights);
  result.mean += result.errors;
  return result;
}

double left_out_errors(const Matrix& scores, const std::vector<int>& labels, const Vector& weights) {
  double wrong = 0;
  double all = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    if (is_counted(scores, labels, i)) {
      all += weights(i);
      wrong += is_wrong(scores, labels, i) ? weights(i) : 0;
    }
  }
  return all > 0 ? wrong / all : 0;
}

CountMatrix left_out_confusion(const Matrix& scores, const std::vector<int>& labels) {
  CountMatrix counts = CountMatrix::Zero(scores.cols(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) {
    if (is_counted(scores, labels, i)) {
      ++counts(labels[static_cast<std::size_t>(i)], predicted(scores, i));
    }
  }
  return counts;
}

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
  [[nodiscard]] Matrix decisions(const MachinePoint& point, const std::function<void()>& on_machine) {
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
      if (on_machine) {
        on_machine();
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
                                          const std::function<void()>& on_machine) const {
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
      scores[k](held, group) = machines.decisions(points[k], on_machine);
    }
  });
  return scores;
}

}  // namespace parsimap
