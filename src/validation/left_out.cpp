#include "parsimap/validation/left_out.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/svm/l2_svm.hpp"

namespace parsimap {
namespace {

// The kernel at one width after the other, computed anew only where the width changes.
KernelOfWidth kept(KernelOfWidth kernel) {
  return [kernel = std::move(kernel), last = -1.0,
          values = static_cast<const Matrix*>(nullptr)](double width) mutable -> const Matrix& {
    values = width == last ? values : &kernel(width);
    last = width;
    return *values;
  };
}

// One class against the rest without a fold, trained at one point after the other.
class FoldClassifier {
 public:
  // `classes_of` are those of the training rows, `weights` their shares of C.
  FoldClassifier(const std::vector<int>& classes_of, int c, Vector weights)
      : labels_(labels_against_rest(classes_of, c)), weights_(std::move(weights)) {}

  // A classifier needs both sides. Without it, the class that is alone is certain and one without samples impossible.
  [[nodiscard]] bool one_sided() const { return !has_both_classes(labels_); }
  [[nodiscard]] double certain_value() const {
    return labels_.size() > 0 && labels_(0) > 0 ? 1.0 : -std::numeric_limits<double>::infinity();
  }

  // Decision values of the held-out samples. Points come width by width, and each training starts from the decision
  // function of the one before, which mostly has nearly the same samples inside its margin.
  [[nodiscard]] Vector decisions(const Matrix& among, const Matrix& to_training, double C) {
    const Vector penalties = C * weights_;
    const MarginSolution margin =
        solve_margin(DenseQuadraticForm(among), labels_, penalties, start_.size() > 0 ? &start_ : nullptr);
    start_ = margin.decision;
    return (to_training * margin.coefficients).array() + margin.bias;
  }

  // The same at one point, of rows of `held` and `training`, with those values of the kernel alone that the solver asks
  // for: of many classes each has few support vectors among the samples of all.
  [[nodiscard]] Vector decisions_in_parts(const MahalanobisKernel& kernel, const Matrix& training, const Matrix& held,
                                          double C) const {
    const MarginSolution margin =
        solve_margin(KernelForm(kernel, training), labels_, Vector(C * weights_), nullptr, SolverOptions{});
    return (kernel.block(held, training(margin.support, Eigen::all)) * margin.coefficients(margin.support)).array() +
           margin.bias;
  }

 private:
  Vector labels_;
  Vector weights_;
  Vector start_;
};

// A kernel of one fold: that of the spectra and, for points with a share, their sum with that of the profiles.
struct FoldKernel {
  KernelOfWidth spectra;
  KernelOfWidth profiles;
  Matrix sum = {};  // of the last point with a share

  const Matrix& at(const TrainingPoint& point) {
    if (!(point.share > 0)) {
      return spectra(point.width);
    }
    sum = (1 - point.share) * spectra(point.width) + point.share * profiles(point.profile_weight);
    return sum;
  }
};

bool any_profile(const std::vector<TrainingPoint>& points) {
  return std::any_of(points.begin(), points.end(), [](const TrainingPoint& point) { return point.share > 0; });
}

}  // namespace

const TriedPoint& TriedPoints::best_without(const Indices& held) const {
  Vector counts(std::ssize(rows));
  for (Index i = 0; i < counts.size(); ++i) {
    counts(i) = std::ranges::binary_search(held, rows[static_cast<std::size_t>(i)]) ? 0 : 1;
  }
  return *std::ranges::min_element(points, {}, [&](const TriedPoint& tried) { return tried.risks.dot(counts); });
}

LeftOutUnits left_out_units(const std::vector<int>& labels, std::size_t classes,
                            const std::vector<SamplePlace>& places) {
  // A class that lies in one unit can either be trained or be left out.
  LeftOutUnits result{units_of(places), {}};
  result.by_region =
      mapped<bool>(units_by_class(labels, classes, result.units), [](Index units) { return units >= 2; });
  // These are numbered in the order of the samples.
  const std::vector<SampleUnit> single = single_units(places);
  std::map<SampleUnit, std::int64_t> number;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!result.by_region[static_cast<std::size_t>(labels[i])]) {
      result.units[i] = {number.emplace(single[i], std::ssize(number)).first->second, SampleUnit::Reason::single};
    }
  }
  return result;
}

LeftOutScorer::LeftOutScorer(Matrix spectra, const std::vector<int>& labels, std::size_t classes,
                             const std::vector<Index>& fold_of, ClassWeights weights,
                             std::shared_ptr<const Matrix> profile_distances, Vector own,
                             std::shared_ptr<const Matrix> profiles)
    : spectra_(std::move(spectra)),
      labels_(labels),
      classes_(classes),
      weights_(weights),
      profile_distances_(std::move(profile_distances)),
      own_(std::move(own)),
      profiles_(std::move(profiles)) {
  folds_ = mapped<FoldRows>(consecutive(kFolds), [&](Index fold) { return rows_of_fold(fold_of, fold); });
}

std::vector<Matrix> LeftOutScorer::scores(const FoldMetric& metric, const ClassPoints& points, int threads,
                                          const std::function<void()>& on_classifier,
                                          const MetricKernel& kernel) const {
  // Classes that have a kernel in common share its matrices.
  const std::vector<std::vector<int>> groups = classes_by_kernel(kernel, static_cast<int>(classes_));
  const auto count = static_cast<Index>(groups.size());
  std::vector<Matrix> scores(points(0, 0).size(), Matrix(spectra_.rows(), static_cast<Index>(classes_)));
  // A task is one fold and one kernel; tasks write to separate rows and columns of the scores.
  parallel_for(count * kFolds, threads, [&](Index task) {
    const Index fold = task / count;
    if (!held_rows(fold).empty()) {
      score_fold(fold, groups[static_cast<std::size_t>(task % count)], metric, points, kernel, on_classifier, scores);
    }
  });
  return scores;
}

Matrix LeftOutScorer::columns(const Indices& rows, const TrainingPoint& point) const {
  if (!(point.share > 0)) {
    return spectra_(rows, Eigen::all);
  }
  Matrix joined(std::ssize(rows), spectra_.cols() + profiles_->cols());
  joined << spectra_(rows, Eigen::all), (*profiles_)(rows, Eigen::all);
  return joined;
}

// The scores of a group of classes that have a kernel in common, for the samples of one fold.
void LeftOutScorer::score_fold(Index fold, const std::vector<int>& group, const FoldMetric& metric,
                               const ClassPoints& points, const MetricKernel& kernel,
                               const std::function<void()>& on_classifier, std::vector<Matrix>& scores) const {
  const auto& [rows, held] = folds_[static_cast<std::size_t>(fold)];
  const std::vector<TrainingPoint> of_group = points(fold, group.front());
  const std::vector<int> labels_of = values_at(labels_, rows);
  // Equal spectra are trained on once, with the sum of their weights. Their profiles may differ.
  const DistinctSamples distinct =
      distinct_samples(any_profile(of_group) ? Matrix(Vector::LinSpaced(static_cast<Index>(rows.size()), 0, 1))
                                             : Matrix(spectra_(rows, Eigen::all)),
                       labels_of);
  const Vector weights = distinct.sum(sample_weights(weights_, labels_of, own_.size() > 0 ? Vector(own_(rows)) : own_));
  const std::vector<int> classes_of = values_at(labels_of, distinct.rows);
  std::vector<FoldClassifier> classifiers;
  for (const int c : group) {
    classifiers.emplace_back(classes_of, c, weights);
    if (classifiers.back().one_sided()) {
      for (Matrix& of_point : scores) {
        of_point.col(c)(held).setConstant(classifiers.back().certain_value());
      }
    }
  }
  if (std::all_of(classifiers.begin(), classifiers.end(), [](const auto& one) { return one.one_sided(); })) {
    return;
  }
  std::vector<ClassMetric> metrics;
  std::transform(group.begin(), group.end(), std::back_inserter(metrics),
                 [&](int c) { return with_profile(metric(fold, c), {}); });
  // Gaussian kernels are computed about this mean, other ones about that which they take by themselves: the two are
  // rounded differently.
  Eigen::RowVectorXd origin;
  if (kernel.form == MetricKernel::Form::gaussian) {
    origin = spectra_(rows, Eigen::all).colwise().mean();
  }
  if (const TrainingPoint& point = of_group.front(); in_parts(classes_, of_group.size()) &&
                                                     kernel.form == MetricKernel::Form::gaussian &&
                                                     (!(point.share > 0) || profiles_)) {
    if (on_classifier) {
      on_classifier();
    }
    const ProfileTerm profile =
        point.share > 0 ? ProfileTerm{profiles_->cols(), point.profile_weight, point.share} : ProfileTerm{};
    scores.front().col(group.front())(held) = classifiers.front().decisions_in_parts(
        MahalanobisKernel(with_profile(scaled(metrics.front(), point.width), profile)),
        columns(values_at(rows, distinct.rows), point), columns(held, point), point.C);
    return;
  }
  const Matrix training = spectra_(values_at(rows, distinct.rows), Eigen::all);
  FoldKernel among{kept(kernel_of_width(kernel, metrics, training, training, origin)), {}};
  FoldKernel to_training{kept(kernel_of_width(kernel, metrics, spectra_(held, Eigen::all), training, origin)), {}};
  if (any_profile(of_group)) {
    among.profiles = kept(gaussian_among((*profile_distances_)(rows, rows)));
    to_training.profiles = kept(gaussian_of_width({(*profile_distances_)(held, rows)}));
  }
  for (std::size_t k = 0; k < of_group.size(); ++k) {
    const Matrix& among_samples = among.at(of_group[k]);
    const Matrix& from_held = to_training.at(of_group[k]);
    for (std::size_t m = 0; m < group.size(); ++m) {
      if (classifiers[m].one_sided()) {
        continue;
      }
      if (on_classifier) {
        on_classifier();
      }
      scores[k].col(group[m])(held) = classifiers[m].decisions(among_samples, from_held, of_group[k].C);
    }
  }
}

}  // namespace parsimap
