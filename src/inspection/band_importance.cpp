#include "parsimap/inspection/band_importance.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/validation/left_out_risk.hpp"

namespace parsimap {
namespace {

// Correlations of the columns of `spectra` in this order, d x d.
Matrix correlations(const Matrix& spectra, const Indices& order) {
  Matrix standardised = spectra(Eigen::all, order);
  standardised.rowwise() -= standardised.colwise().mean().eval();
  for (Index j = 0; j < standardised.cols(); ++j) {
    const double norm = standardised.col(j).norm();
    standardised.col(j) /= norm > 0 ? norm : 1;
  }
  return standardised.transpose() * standardised;
}

// The cost of intervals [first, last), from sums of the correlations over rectangles.
class IntervalCost {
 public:
  explicit IntervalCost(const Matrix& correlation)
      : sums_(Matrix::Zero(correlation.rows() + 1, correlation.cols() + 1)) {
    for (Index j = 0; j < correlation.rows(); ++j) {
      for (Index k = 0; k < correlation.cols(); ++k) {
        sums_(j + 1, k + 1) = correlation(j, k) + sums_(j, k + 1) + sums_(j + 1, k) - sums_(j, k);
      }
    }
  }

  [[nodiscard]] double operator()(Index first, Index last) const {
    const auto width = static_cast<double>(last - first);
    // The sum of the correlations within the interval by inclusion and exclusion. Standardised bands have a sum of
    // squares about their mean of width - sum / width.
    const double sum = sums_(last, last) - sums_(first, last) - sums_(last, first) + sums_(first, first);
    return width - sum / width;
  }

 private:
  Matrix sums_;
};

// The ends of the intervals of the lowest cost, ascending. Of equals the earlier cut.
std::vector<Index> best_ends(const IntervalCost& cost, Index bands, Index intervals, Index narrowest) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Matrix lowest = Matrix::Constant(intervals + 1, bands + 1, kNone);
  CountMatrix cut = CountMatrix::Zero(intervals + 1, bands + 1);
  lowest(0, 0) = 0;
  // lowest(k, last) is the least cost of k intervals that cover the bands before `last`: the last of them begins at
  // `first`, and the others are the best k - 1 intervals up to there. Cuts are remembered, and followed back from
  // the end.
  for (Index k = 1; k <= intervals; ++k) {
    for (Index last = k * narrowest; last <= bands; ++last) {
      for (Index first = (k - 1) * narrowest; first + narrowest <= last; ++first) {
        const double sum = lowest(k - 1, first) + cost(first, last);
        if (sum < lowest(k, last)) {
          lowest(k, last) = sum;
          cut(k, last) = first;
        }
      }
    }
  }
  std::vector<Index> ends(static_cast<std::size_t>(intervals));
  Index last = bands;
  for (Index k = intervals; k > 0; --k) {
    ends[static_cast<std::size_t>(k - 1)] = last;
    last = static_cast<Index>(cut(k, last));
  }
  return ends;
}

}  // namespace

// Adjacent bands are correlated, so that intervals are tested instead of single bands: at most `most` of them,
// none narrower than a quarter of the mean width, cut where correlations within the intervals are highest.
std::vector<Indices> band_intervals(const Matrix& spectra, const Indices& order, Index most) {
  const auto bands = static_cast<Index>(order.size());
  const Index intervals = std::min(most, bands);
  const Index narrowest =
      std::max<Index>(1, std::lround(static_cast<double>(bands) / (4 * static_cast<double>(intervals))));
  std::vector<Indices> result;
  Index first = 0;
  for (const Index end : best_ends(IntervalCost(correlations(spectra, order)), bands, intervals, narrowest)) {
    result.emplace_back(order.begin() + first, order.begin() + end);
    first = end;
  }
  return result;
}

namespace {

Indices other_columns(Index bands, const Indices& columns) {
  std::vector<bool> taken(static_cast<std::size_t>(bands), false);
  for (const Index column : columns) {
    taken[static_cast<std::size_t>(column)] = true;
  }
  return indices_where(bands, [&](Index column) { return !taken[static_cast<std::size_t>(column)]; });
}

// The normal distribution of spectra, from which bands are filled in.
// Bands cannot be removed from a trained classifier. They are replaced by what the other bands let expect, the
// conditional mean, which contains no information beyond that of the other bands. The ridge makes the covariance
// positive definite with fewer samples than bands.
class ConditionalMean {
 public:
  explicit ConditionalMean(const Matrix& training) : mean_(training.colwise().mean()) {
    const Matrix centred = training.rowwise() - mean_;
    covariance_ = centred.transpose() * centred / static_cast<double>(training.rows());
    covariance_.diagonal().array() += kConditionalRidge * covariance_.trace() / static_cast<double>(training.cols());
  }

  [[nodiscard]] Matrix fill(const Matrix& spectra, const Indices& replaced) const {
    const Indices given = other_columns(spectra.cols(), replaced);
    Matrix filled = spectra;
    if (given.empty()) {
      filled.rowwise() = mean_;
      return filled;
    }
    const Matrix deviations = spectra(Eigen::all, given).rowwise() - mean_(given);
    // E[x_R | x_G] = m_R + S_RG S_GG^-1 (x_G - m_G); the slopes are the transpose of S_RG S_GG^-1.
    const Matrix slopes = Eigen::LLT<Matrix>(covariance_(given, given)).solve(covariance_(given, replaced));
    filled(Eigen::all, replaced) = (deviations * slopes).rowwise() + mean_(replaced);
    return filled;
  }

 private:
  Eigen::RowVectorXd mean_;
  Matrix covariance_;
};

// What the labels of samples cost, and which of them are found.
struct PixelScores {
  Vector losses;
  Vector right;  // 1 or 0
  // Whether the classifiers know the class of a sample: otherwise it has no loss, and is not right.
  [[nodiscard]] bool counts(Index i) const { return losses(i) > 0 || right(i) > 0; }
};

// The scores of the samples of a fold: with all bands, without each interval, with each interval alone.
using FoldScores = std::vector<PixelScores>;

PixelScores scores_of(const Matrix& decisions, const std::vector<int>& labels, double slope) {
  return {left_out_losses(decisions, labels, slope), left_out_correct(decisions, labels)};
}

FoldScores scores_of_replaced(const LabelledSpectra& samples, const FoldRows& fold,
                              const RefittedClassifiers& classifiers, const std::vector<Indices>& intervals,
                              double slope) {
  // Profiles stay as they are: the question is what the bands of the pixel itself contribute.
  const auto bands = Eigen::seqN(0, samples.bands());
  const Matrix held = samples.spectra(fold.test, bands);
  const ConditionalMean expected(samples.spectra(fold.train, bands));
  Matrix columns = samples.spectra(fold.test, Eigen::all);
  const std::vector<int> labels = values_at(samples.labels, fold.test);
  FoldScores scores;
  const auto score = [&](const Matrix& spectra) {
    columns.leftCols(samples.bands()) = spectra;
    scores.push_back(scores_of(classifiers.decisions(columns), labels, slope));
  };
  score(held);
  for (const Indices& interval : intervals) {
    score(expected.fill(held, interval));
  }
  return scores;
}

// The columns of an interval, followed by the profiles.
Matrix interval_columns(const LabelledSpectra& samples, const Indices& interval) {
  Matrix columns(samples.spectra.rows(), static_cast<Index>(interval.size()) + samples.features);
  columns << samples.spectra(Eigen::all, interval), samples.spectra.rightCols(samples.features);
  return columns;
}

// Adds up the scores of the samples of one class, or of all.
class Sums {
 public:
  explicit Sums(std::size_t intervals) : intervals_(intervals), sums_(1 + 2 * intervals), rises_(intervals) {}

  void add(const FoldScores& scores, Index i, const SampleUnit& group) {
    ++samples_;
    for (std::size_t v = 0; v < sums_.size(); ++v) {
      sums_[v].loss += scores[v].losses(i);
      sums_[v].accuracy += scores[v].right(i);
    }
    for (std::size_t k = 0; k < intervals_; ++k) {
      rises_[k][group] += scores[1 + k].losses(i) - scores[0].losses(i);
    }
    ++sizes_[group];
  }

  // A sample is scored once in each of `repeats`.
  [[nodiscard]] ClassImportance result(Index repeats) const {
    ClassImportance importance;
    importance.effects.resize(intervals_);
    importance.samples = samples_ / repeats;
    importance.groups = static_cast<Index>(sizes_.size());
    if (samples_ == 0) {
      return importance;
    }
    importance.whole = mean(0);
    for (std::size_t k = 0; k < intervals_; ++k) {
      IntervalEffect& effect = importance.effects[k];
      effect.without = mean(1 + k);
      effect.alone = mean(1 + intervals_ + k);
      effect.loss_rise = effect.without.loss - importance.whole.loss;
      effect.loss_rise_error = standard_error(rises_[k], effect.loss_rise);
    }
    return importance;
  }

 private:
  [[nodiscard]] IntervalScore mean(std::size_t variant) const {
    const auto count = static_cast<double>(samples_);
    return {sums_[variant].loss / count, sums_[variant].accuracy / count};
  }

  // The standard error of a mean over samples, computed from the sums of its groups: sqrt(G/(G-1) sum_g (sum in g of x
  // - mean)^2) / n.
  [[nodiscard]] double standard_error(const std::map<SampleUnit, double>& by_group, double mean) const {
    // The sum over a group of the deviations from the mean is one observation: pixels of a group are not independent.
    const auto groups = static_cast<double>(by_group.size());
    double squares = 0;
    for (const auto& [group, sum] : by_group) {
      const double deviation = sum - mean * static_cast<double>(sizes_.at(group));
      squares += deviation * deviation;
    }
    return groups > 1 ? std::sqrt(squares * groups / (groups - 1)) / static_cast<double>(samples_) : 0;
  }

  std::size_t intervals_;
  Index samples_ = 0;
  std::vector<IntervalScore> sums_;                  // by variant
  std::vector<std::map<SampleUnit, double>> rises_;  // of the loss, by interval and group
  std::map<SampleUnit, Index> sizes_;                // by group
};

}  // namespace

Matrix replace_by_others(const Matrix& spectra, const Matrix& training, const Indices& replaced) {
  return ConditionalMean(training).fill(spectra, replaced);
}

IntervalImportance interval_importance(const LabelledSpectra& samples, const std::vector<FoldRows>& folds,
                                       const ClassifierDesign& design, const std::vector<Indices>& intervals,
                                       double softmax_slope, const LeftOutOptions& options) {
  std::vector<FoldScores> scores(folds.size(), FoldScores(1 + 2 * intervals.size()));
  std::mutex mutex;
  Index done = 0;
  // The tasks of every fold: classifiers of the whole spectra, and of each interval. What an interval tells by itself
  // is known only to classifiers that were trained on it: those of all bands take bands that were filled in for spectra
  // unlike any other.
  const std::size_t variants = 1 + intervals.size();
  const auto tasks = static_cast<Index>(folds.size() * variants);
  parallel_for(tasks, options.threads, [&](Index task) {
    const std::size_t fold = static_cast<std::size_t>(task) / variants;
    const std::size_t k = static_cast<std::size_t>(task) % variants;
    const auto& [train, held] = folds[fold];
    const std::vector<int> labels = values_at(samples.labels, train);
    if (k == 0) {
      const RefittedClassifiers classifiers(design, samples.spectra(train, Eigen::all), labels, {});
      FoldScores replaced = scores_of_replaced(samples, folds[fold], classifiers, intervals, softmax_slope);
      std::move(replaced.begin(), replaced.end(), scores[fold].begin());
    } else {
      const Matrix columns = interval_columns(samples, intervals[k - 1]);
      const RefittedClassifiers classifiers(design, columns(train, Eigen::all), labels, {});
      scores[fold][intervals.size() + k] =
          scores_of(classifiers.decisions(columns(held, Eigen::all)), values_at(samples.labels, held), softmax_slope);
    }
    const std::lock_guard lock(mutex);
    report_done(options.progress, ++done, tasks);
  });
  // The scores are added up fold by fold, so that the sums do not depend on which thread was ready first.
  Sums all(intervals.size());
  std::vector<Sums> by_class(samples.classes, Sums(intervals.size()));
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    for (Index i = 0; i < std::ssize(folds[fold].test); ++i) {
      const auto row = static_cast<std::size_t>(folds[fold].test[static_cast<std::size_t>(i)]);
      if (scores[fold].front().counts(i)) {
        all.add(scores[fold], i, samples.places[row].unit);
        by_class[static_cast<std::size_t>(samples.labels[row])].add(scores[fold], i, samples.places[row].unit);
      }
    }
  }
  return {intervals, all.result(options.repeats),
          mapped<ClassImportance>(by_class, [&](const Sums& sums) { return sums.result(options.repeats); })};
}

}  // namespace parsimap
