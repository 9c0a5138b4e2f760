#include "parsimap/selection/reduced_support.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/svm/l2_svm.hpp"
#include "parsimap/validation/combination.hpp"
#include "parsimap/validation/folds.hpp"
#include "parsimap/validation/left_out.hpp"
#include "parsimap/validation/left_out_evaluation.hpp"
#include "parsimap/validation/left_out_risk.hpp"

#include "centre_choice.hpp"

namespace parsimap {
namespace {

// The part of the work that evaluates the exact classifiers.
constexpr double kExactPart = 0.57;
// Folds that are left out: a fifth of the samples shows a relevant loss, at a fifth of the time.
constexpr Index kLeftOut = 1;
constexpr Index kFewestCentres = 32;
constexpr Index kMostCentres = 256;
// At most a quarter of the support spectra of the exact classifiers: where more centres are needed, maps would hardly
// be faster.
constexpr Index kLargestPart = 4;
// Factors of C that are tried. A few centres that must fit every noisy sample are less accurate than centres that need
// not, so that smaller penalties may be better than those of the exact classifiers.
const std::vector<double> kPenaltyFactors = {1.0, 1e-2, 1e-3};
// Standard errors that are added to the measured loss: if its error is normally distributed, the true loss is below the
// limit with a probability of about 98 %.
constexpr double kCertainty = 2;

const Names<SupportRule>& rule_names() {
  static const Names<SupportRule> names = {{SupportRule::reduced, "reduced"}, {SupportRule::all, "all"}};
  return names;
}

Vector own_at(const LabelledSpectra& samples, const Indices& rows) {
  return samples.weights.size() > 0 ? Vector(samples.weights(rows)) : samples.weights;
}

class Reduction {
 public:
  Reduction(const LabelledSpectra& all, const std::vector<ClassParameters>& classifiers,
            const ReductionOptions& options)
      : all_(all),
        spectra_(all.spectra),
        labels_(all.labels),
        classifiers_(classifiers),
        options_(options),
        classes_(all.classes),
        weights_(sample_weights(ClassWeights::none, all.labels, all.weights)),
        units_(left_out_units(all.labels, all.classes, all.places)) {
    fold_of_ = assign_folds(labels_, classes_, units_.units, kFolds, options.seed, 0);
    for (Index i = 0; i < weights_.size(); ++i) {
      weights_(i) *= fold_of_[static_cast<std::size_t>(i)] < kLeftOut ? 1 : 0;
    }
    judge_exact();
    for (Index fold = 0; fold < kLeftOut; ++fold) {
      const Indices training = rows_of_fold(fold_of_, fold).train;
      folds_.emplace_back(spectra_(training, Eigen::all), values_at(labels_, training), classifiers_,
                          options_.class_weights, options_.threads, own_at(all, training));
    }
  }

  // The loss of accuracy of classifiers on so many centres, at the factor of C with the highest accuracy, which is
  // written to `factor`. Left-out samples are classified by centres and classifiers that were found without their fold;
  // centres of a fold are kept and only added to as the number grows.
  ReductionLoss judge(Index centres, double& factor) {
    std::vector<Matrix> scores(kPenaltyFactors.size(), Matrix::Zero(spectra_.rows(), static_cast<Index>(classes_)));
    for (Index fold = 0; fold < kLeftOut; ++fold) {
      const Indices held = rows_of_fold(fold_of_, fold).test;
      CentreChoice& choice = folds_[static_cast<std::size_t>(fold)];
      if (held.empty()) {
        continue;
      }
      if (options_.progress) {
        // Smaller numbers of centres, each half of the next one, have taken together as long as this one will.
        const double part = static_cast<double>(fold) / static_cast<double>(kLeftOut);
        options_.progress(kExactPart + (1 - kExactPart) * static_cast<double>(centres) * (1 + part) /
                                           static_cast<double>(2 * kMostCentres));
      }
      choice.grow(centres);
      const std::vector<CentreChoice::Classifiers> classifiers = choice.fit(kPenaltyFactors);
      for (std::size_t k = 0; k < classifiers.size(); ++k) {
        scores[k](held, Eigen::all) = choice.decide(classifiers[k], spectra_(held, Eigen::all));
      }
    }
    ReductionLoss best;
    for (std::size_t k = 0; k < kPenaltyFactors.size(); ++k) {
      const ReductionLoss loss = compare(combined(options_.combination, scores[k]));
      if (k == 0 || loss.reduced_accuracy > best.reduced_accuracy) {
        best = loss;
        factor = kPenaltyFactors[k];
      }
    }
    return best;
  }

 private:
  // Exact classifiers are trained anew without each fold, in the metrics of the final classifiers, which have seen all
  // samples. Classifiers on centres use the same metrics, so that the comparison is fair.
  void judge_exact() {
    std::mutex mutex;
    double trained = 0;
    const auto tell = [&] {
      const std::lock_guard lock(mutex);
      if (options_.progress) {
        options_.progress(kExactPart * trained++ / static_cast<double>(exact_.cols() * kLeftOut));
      }
    };
    exact_.setZero(spectra_.rows(), static_cast<Index>(classes_));
    const Matrix centred = spectra_.rowwise() - spectra_.colwise().mean();
    parallel_for(exact_.cols(), options_.threads, options_.at_once,
                 [&](Index c) { exact_.col(c) = exact_decisions(centred, static_cast<int>(c), tell); });
    exact_ = combined(options_.combination, exact_);
    exact_risk_ = left_out_risk(exact_, labels_, weights_, unit_count(units_.units));
  }

  // Of one class. Folds differ in a fifth of their samples: they share the kernel matrix, and each training starts from
  // the decision function of the one before. `tell` is called before every fold.
  [[nodiscard]] Vector exact_decisions(const Matrix& centred, int c, const std::function<void()>& tell) const {
    const auto& [metric, C] = classifiers_[static_cast<std::size_t>(c)];
    const MahalanobisKernel kernel(metric);
    const Matrix coordinates = kernel.map(centred);
    Matrix values = kernel.values(coordinates, coordinates);
    values.diagonal().setOnes();
    Vector result = Vector::Zero(spectra_.rows());
    Vector start;
    for (Index fold = 0; fold < kLeftOut; ++fold) {
      tell();
      const auto [rows, held] = rows_of_fold(fold_of_, fold);
      const std::vector<int> labels = values_at(labels_, rows);
      const Vector sides = labels_against_rest(labels, c);
      if (!has_both_classes(sides)) {
        result(held).setConstant(sides.size() > 0 && sides(0) > 0 ? 1.0 : -std::numeric_limits<double>::infinity());
        continue;
      }
      const Vector penalties = C * sample_weights(options_.class_weights, labels, own_at(all_, rows));
      const Vector from = start.size() > 0 ? Vector(start(rows)) : start;
      const Matrix among = values(rows, rows);
      const MarginSolution margin =
          solve_margin(DenseQuadraticForm(among), sides, penalties, from.size() > 0 ? &from : nullptr);
      Vector coefficients = Vector::Zero(spectra_.rows());
      coefficients(rows) = margin.coefficients;
      start = (values * coefficients).array() + margin.bias;
      result(held) = start(held);
    }
    return result;
  }

  [[nodiscard]] ReductionLoss compare(const Matrix& scores) const {
    // The standard error is that of the paired difference of errors, over units: both kinds of classifiers are tested
    // on the same samples.
    const LeftOutRisk risk = left_out_risk(scores, labels_, weights_, unit_count(units_.units));
    const Vector difference = weights_.cwiseProduct(wrong(scores) - wrong(exact_));
    return {1 - exact_risk_.errors,
            1 - risk.errors,
            standard_error(difference, difference.sum() / weights_.sum(), weights_, units_.units),
            static_cast<Index>((weights_.array() > 0).count()),
            exact_risk_.slope,
            risk.slope};
  }

  // 1 for samples whose largest score is not that of their class.
  [[nodiscard]] Vector wrong(const Matrix& scores) const {
    Vector result(scores.rows());
    for (Index i = 0; i < scores.rows(); ++i) {
      Index best = 0;
      scores.row(i).maxCoeff(&best);
      result(i) = best == labels_[static_cast<std::size_t>(i)] ? 0 : 1;
    }
    return result;
  }

  const LabelledSpectra& all_;
  const Matrix& spectra_;
  const std::vector<int>& labels_;
  const std::vector<ClassParameters>& classifiers_;
  const ReductionOptions& options_;
  std::size_t classes_;
  Vector weights_;  // classes count as they do in the samples, and those that are not left out not at all
  LeftOutUnits units_;
  std::vector<Index> fold_of_;
  Matrix exact_;  // scores of exact classifiers
  LeftOutRisk exact_risk_;
  std::vector<CentreChoice> folds_;
};

// The centres and classifiers of all samples.
ReducedSupport reduced(const LabelledSpectra& samples, const std::vector<ClassParameters>& classifiers, Index centres,
                       double factor, const ReductionLoss& loss, const ReductionOptions& options) {
  CentreChoice choice(samples.spectra, samples.labels, classifiers, options.class_weights, options.threads,
                      samples.weights);
  choice.grow(centres);
  CentreChoice::Classifiers fitted = std::move(choice.fit({factor}).front());
  // In the order of the samples.
  Indices order(choice.centres().size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return choice.centres()[static_cast<std::size_t>(a)] < choice.centres()[static_cast<std::size_t>(b)];
  });
  return {values_at(choice.centres(), order), factor, fitted.coefficients(order, Eigen::all), std::move(fitted.biases),
          std::move(fitted.violations),       loss};
}

}  // namespace

SupportRule parse_support_rule(const std::string& text) {
  return parse_name("support rule", text, rule_names(), "is unknown; it must be");
}

std::string to_string(SupportRule rule) { return name_among(rule, rule_names()); }

std::optional<ReducedSupport> reduce_support(const LabelledSpectra& samples,
                                             const std::vector<ClassParameters>& classifiers, Index support,
                                             const ReductionOptions& options) {
  if (support < kFewestReducible || samples.spectra.rows() > kMostReducible) {
    return std::nullopt;
  }
  // The number of centres doubles until the loss plus two standard errors is at most the limit: the smallest number
  // that suffices is taken.
  const Index most = std::min(kMostCentres, support / kLargestPart);
  Reduction reduction(samples, classifiers, options);
  for (Index centres = kFewestCentres; centres <= most; centres *= 2) {
    double factor = 1;
    const ReductionLoss loss = reduction.judge(centres, factor);
    if (loss.exact_accuracy - loss.reduced_accuracy + kCertainty * loss.error <= kReductionLoss) {
      return reduced(samples, classifiers, centres, factor, loss, options);
    }
  }
  return std::nullopt;
}

double reduction_operations(Index samples, Index bands, std::size_t classes) {
  const bool tried = samples >= kFewestReducible && samples <= kMostReducible;
  return tried ? classifier_operations(samples, bands, classes, 1) * kLeftOut / kFolds : 0;
}

}  // namespace parsimap
