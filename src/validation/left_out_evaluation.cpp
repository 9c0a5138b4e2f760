#include "parsimap/validation/left_out_evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/kernel/training_geometry.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/validation/combination.hpp"
#include "parsimap/validation/folds.hpp"
#include "parsimap/validation/left_out.hpp"
#include "parsimap/validation/left_out_risk.hpp"

namespace parsimap {
// The ridge of the matrix that combines decision values, and that of the one by which this is decided.
constexpr double kRidge = 10;
constexpr double kStiffRidge = 100;

// The share of the loss that a combination has to save: less is not worth a change of the map.
constexpr double kLeastCombined = 0.02;

// Between two different samples, on average.
static double mean_distance(const Matrix& distances) {
  const auto n = static_cast<double>(distances.rows());
  return n > 1 ? distances.sum() / (n * (n - 1)) : 0;
}

// Squared distances between the profiles of these samples, in the order of `rows`; empty where they have none.
static Matrix profile_distances(const LabelledSpectra& samples, const Indices& rows, int threads) {
  if (samples.features == 0) {
    return {};
  }
  return squared_distances(samples.spectra(rows, Eigen::seqN(samples.bands(), samples.features)), threads);
}

LeftOutPredictions left_out_predictions(const Matrix& scores, const std::vector<int>& labels, const Indices& rows,
                                        const std::vector<SampleUnit>& units, const std::vector<Index>& folds) {
  LeftOutPredictions result;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = static_cast<Index>(i);
    if (std::isfinite(scores(row, labels[i]))) {
      Index largest = 0;
      scores.row(row).maxCoeff(&largest);
      result.rows.push_back(rows[i]);
      result.predicted.push_back(static_cast<int>(largest));
      result.units.push_back(units[i]);
      result.folds.push_back(folds[i]);
    }
  }
  return result;
}

TrainingCount::TrainingCount(const Progress& progress, std::vector<PlannedPhase> steps)
    : progress_(progress), steps_(std::move(steps)) {
  std::vector<PlannedPhase> phases = steps_;
  for (PlannedPhase& phase : phases) {
    phase.expected *= kSecondsPerOperation;
  }
  clock_.plan(phases);
  begin(0);
}

void TrainingCount::begin(std::size_t step) {
  const std::lock_guard lock(mutex_);
  expected_ = steps_[step].expected;
  phase_ = clock_.begin(steps_[step].name);
  spent_ = 0;
}

void TrainingCount::add(double operations) {
  const std::lock_guard lock(mutex_);
  tell();
  ++trained_;
  spent_ += operations;
}

void TrainingCount::spend(double operations) {
  const std::lock_guard lock(mutex_);
  spent_ += operations;
  tell();
}

void TrainingCount::tell() {
  clock_.at(phase_, std::min(1.0, spent_ / expected_));
  if (progress_) {
    progress_(clock_.share());
  }
}

double classifier_operations(Index samples, Index bands, std::size_t classes, std::size_t points) {
  if (in_parts(classes, points)) {
    // Values of the kernel between all samples and about so many support vectors, for each of the systems.
    constexpr double kSupport = 60;
    constexpr double kSystems = 15;
    return static_cast<double>(kFolds) * static_cast<double>(classes) * kSystems * kSupport *
           operations(samples, 1, kernel_operations(bands));
  }
  // Distances between all samples serve all points. A point has a kernel matrix, and a system that is mostly started
  // from that of the one before and takes about as long.
  const double each = 2 * operations(samples, samples, kernel_operations(0));
  const double pairs = operations(samples, samples, bands) + static_cast<double>(points) * each;
  return static_cast<double>(kFolds) * static_cast<double>(classes) * pairs;
}

double model_operations(Index samples, Index bands, std::size_t classes) {
  return static_cast<double>(kFolds) * static_cast<double>(classes) * statistics_operations(samples, bands);
}

LeftOutEvaluation::LeftOutEvaluation(const LabelledSpectra& all, const Indices& rows, const EvaluationOptions& options,
                                     TrainingCount& classifiers)
    : options_(options),
      classifiers_(classifiers),
      classes_(all.classes),
      bands_(all.bands()),
      rows_(rows),
      labels_(values_at(all.labels, rows)),
      own_(all.weights.size() > 0 ? Vector(all.weights(rows)) : all.weights),
      units_(left_out_units(labels_, classes_, values_at(all.places, rows))) {
  const bool many = in_parts(classes_, 1);
  const auto distances =
      std::make_shared<const Matrix>(many ? Matrix() : profile_distances(all, rows, options.threads));
  profile_distance_ = mean_distance(*distances);
  const auto profiles = many ? std::make_shared<const Matrix>(all.spectra(rows, Eigen::seqN(bands_, all.features)))
                             : std::shared_ptr<const Matrix>();
  fold_of_ = assign_folds(labels_, classes_, units_.units, kFolds, options.seed, 0);
  const Matrix spectra = all.spectra(rows, Eigen::seqN(0, bands_));
  views_.push_back(std::make_unique<View>(spectra, *this, fold_of_, distances, profiles));
  if (all.standardising.size() > 0) {
    views_.push_back(
        std::make_unique<View>(spectra * all.standardising.asDiagonal(), *this, fold_of_, distances, profiles));
  }
  weigh(all.labels);
}

LeftOutEvaluation::Outcome LeftOutEvaluation::best_of(const MetricShape& shape,
                                                      const std::vector<TrainingPoint>& points) {
  // The class models of every fold's complement do not depend on width and C, so one estimate serves all points.
  const std::vector<SubspaceModel>& models = fold_models(view(shape), shape.blend);
  const auto each = std::ssize(models) / kFolds;
  const auto metric = [&](Index fold, int c) {
    return shaped_metric(models[static_cast<std::size_t>(fold * each + c % each)], shape);
  };
  const auto on_classifier = [&] { classifiers_.add(each_classifier(points.size())); };
  const std::vector<Matrix> scores = view(shape).scorer.scores(
      metric, [&](int) { return points; }, options_.threads, on_classifier, options_.kernel);
  std::vector<LeftOutRisk> risks(points.size());
  parallel_for(static_cast<Index>(points.size()), options_.threads, [&](Index k) {
    const auto point = static_cast<std::size_t>(k);
    risks[point] = left_out_risk(scores[point], labels_, weights_, units());
  });
  std::size_t best = 0;
  for (std::size_t k = 1; k < points.size(); ++k) {
    best = risks[k].mean < risks[best].mean ? k : best;
  }
  return {points[best], std::move(risks[best]), left_out_errors(scores[best], labels_, shares_),
          left_out_confusion(scores[best], labels_), scores[best]};
}

LeftOutEvaluation::Outcome LeftOutEvaluation::outcome(const std::vector<ClassDesign>& designs) const {
  const View& given = *views_.front();
  const auto metric = [&](Index fold, int c) {
    Indices own = given.scorer.training_rows(fold);
    std::erase_if(own, [&](Index row) { return labels_[static_cast<std::size_t>(row)] != c; });
    // The directions are estimated from the samples of the class outside of the fold; weights and C are given.
    return designs[static_cast<std::size_t>(c)].metric(given.spectra(own, Eigen::all));
  };
  const auto point = [&](int c) {
    const ClassDesign& design = designs[static_cast<std::size_t>(c)];
    return std::vector<TrainingPoint>{{1, design.C, design.profile.share, design.profile.weight}};
  };
  const Matrix scores =
      given.scorer.scores(metric, point, options_.threads, [&] { classifiers_.add(each_classifier(1)); }).front();
  return {{},
          left_out_risk(scores, labels_, weights_, units()),
          left_out_errors(scores, labels_, shares_),
          left_out_confusion(scores, labels_),
          scores};
}

ShapeScore LeftOutEvaluation::score(const MetricShape& shape, const Outcome& first, const Outcome& outcome) const {
  // The gain over the first shape is the weighted mean of the paired differences of the risks. Differences do not
  // contain what makes a sample difficult for all shapes alike, so that their standard error is usually smaller than
  // that of either risk.
  const Vector difference = weights_.cwiseProduct(first.risk.risks - outcome.risk.risks);
  const double mean = difference.sum() / weights_.sum();
  return {shape,    outcome.point, outcome.risk.mean, mean, standard_error(difference, mean, weights_, units_.units),
          samples()};
}

Judgement LeftOutEvaluation::judgement(const Outcome& outcome) const {
  Judgement result{{1 - outcome.errors, samples(), units(), units_.by_region, outcome.confusion,
                    left_out_covariance(outcome.scores, labels_, units_.units)},
                   {},
                   outcome.risk.slope,
                   own_probabilities(outcome.scores, outcome.risk.slope, labels_, units_.units, units_.by_region)};
  result.scores.labels = left_out_predictions(outcome.scores, labels_, rows_, units_.units, fold_of_);
  return result;
}

Judgement LeftOutEvaluation::combined_judgement(const Outcome& outcome, const Matrix& single) const {
  Judgement result = judgement(outcome);
  // A class counts as much as the root of what its samples do: as much as these, rare classes would nearly vanish from
  // the map; all the same, they would take too many pixels from the frequent ones.
  Vector counts = Vector::Zero(single.cols());
  for (Index i = 0; i < samples(); ++i) {
    counts(labels_[static_cast<std::size_t>(i)]) += weights_(i);
  }
  const Vector weights = weights_.cwiseQuotient(counts(labels_).cwiseSqrt());
  const auto fitted = [&](double ridge) {
    return fit_combination(single, labels_, weights, result.softmax_slope, ridge);
  };
  // Whether to combine is decided by a stiffer matrix, which cannot adapt much to the samples that it is judged on.
  const Matrix stiff = combined(fitted(kStiffRidge), outcome.scores);
  const auto losses = [&](const Matrix& scores) { return left_out_risk(scores, labels_, weights).losses; };
  const Vector before = losses(outcome.scores);
  const Vector gain = weights.cwiseProduct(before - losses(stiff));
  const double mean = gain.sum() / weights.sum();
  const double least = kLeastCombined * before.dot(weights) / weights.sum();
  // The risk may fall where labels do not become better: a matrix that makes a small class likely does so.
  const bool worse = accuracies(left_out_correct(stiff, labels_), left_out_correct(outcome.scores, labels_)).worse();
  if (mean > std::max(least, standard_error(gain, mean, weights, units_.units)) && !worse) {
    result.combination = fitted(kRidge);
    result.scores.accuracy = 1 - left_out_errors(stiff, labels_, shares_);
    result.scores.confusion = left_out_confusion(stiff, labels_);
    result.scores.covariance = left_out_covariance(stiff, labels_, units_.units);
    result.scores.labels = left_out_predictions(stiff, labels_, rows_, units_.units, fold_of_);
    const Matrix scores = combined_by_others(outcome.scores, single, weights, result.softmax_slope);
    result.softmax_slope = left_out_risk(scores, labels_, weights_, units()).slope;
    result.own_probabilities = own_probabilities(scores, result.softmax_slope, labels_, units_.units, units_.by_region);
  }
  return result;
}

Matrix LeftOutEvaluation::combined_by_others(const Matrix& scores, const Matrix& single, const Vector& weights,
                                             double slope) const {
  Matrix result = scores;
  for (Index fold = 0; fold < kFolds; ++fold) {
    const Indices& others = views_.front()->scorer.training_rows(fold);
    const Indices& held = views_.front()->scorer.held_rows(fold);
    const Matrix combination =
        fit_combination(single(others, Eigen::all), values_at(labels_, others), weights(others), slope, kRidge);
    result(held, Eigen::all) = combined(combination, scores(held, Eigen::all));
  }
  return result;
}

BalancedWeights LeftOutEvaluation::balanced_weights(const MetricShape& shape, const TrainingPoint& point) {
  const Vector shares = shares_ / shares_.mean();
  view(shape).scorer.reweigh(ClassWeights::none, own_.size() > 0 ? Vector(own_.cwiseProduct(shares)) : shares);
  const Vector without = left_out_correct(best_of(shape, {point}).scores, labels_);
  view(shape).scorer.reweigh(ClassWeights::balanced, own_);
  const Vector with = left_out_correct(best_of(shape, {point}).scores, labels_);
  view(shape).scorer.reweigh(options_.class_weights, own_);
  return accuracies(with, without);
}

BalancedWeights LeftOutEvaluation::accuracies(const Vector& with, const Vector& without) const {
  // In the average accuracy all samples of a class together count as much as those of any other class.
  const Vector average = sample_weights(ClassWeights::balanced, labels_);
  const auto mean = [](const Vector& correct, const Vector& weights) { return correct.dot(weights) / weights.sum(); };
  const auto error = [&](const Vector& weights) {
    const Vector difference = weights.cwiseProduct(with - without);
    return standard_error(difference, difference.sum() / weights.sum(), weights, units_.units);
  };
  return {mean(with, average), mean(with, shares_), mean(without, average), mean(without, shares_),
          samples(),           error(average),      error(shares_)};
}

double LeftOutEvaluation::each_classifier(std::size_t points) const {
  return classifier_operations(samples(), bands_, classes_, points) /
         static_cast<double>(static_cast<std::size_t>(kFolds) * classes_ * points);
}

// The fraction of samples that is drawn differs between classes, so that a drawn sample of a class represents n_c / m_c
// of all its samples. This is its weight in the accuracy. In the risk of balanced classes all classes have the same
// total weight instead.
void LeftOutEvaluation::weigh(const std::vector<int>& all_labels) {
  Vector every = Vector::Zero(static_cast<Index>(classes_));
  Vector own = every;
  for (const int label : all_labels) {
    every(label) += 1;
  }
  for (const int label : labels_) {
    own(label) += 1;
  }
  shares_ = every(labels_).cwiseQuotient(own(labels_));
  if (options_.class_weights == ClassWeights::balanced) {
    every.setConstant(every.mean());
  }
  weights_ = every(labels_).cwiseQuotient(own(labels_));
  if (own_.size() > 0) {
    weights_ = weights_.cwiseProduct(own_);
  }
}

const std::vector<SubspaceModel>& LeftOutEvaluation::fold_models(View& view, double blend) const {
  const auto known = view.models.find(blend);
  return known != view.models.end() ? known->second
                                    : view.models.emplace(blend, estimate_fold_models(view, blend)).first->second;
}

std::vector<SubspaceModel> LeftOutEvaluation::estimate_fold_models(const View& view, double blend) const {
  // The samples of a fold contribute to no model by which they are evaluated: class covariances and the pooled
  // covariance, which is the same for all classes, are estimated from the other folds only.
  const auto of_fold = mapped<BlendedModels>(consecutive(kFolds), [&](Index fold) {
    const Indices& rows = view.scorer.training_rows(fold);
    return BlendedModels(view.spectra(rows, Eigen::all), values_at(labels_, rows), classes_);
  });
  const std::size_t each = blend > 0 ? classes_ : 1;
  std::vector<SubspaceModel> models(of_fold.size() * each);
  parallel_for(static_cast<Index>(models.size()), options_.threads, [&](Index i) {
    const auto place = static_cast<std::size_t>(i);
    models[place] = of_fold[place / each].model(static_cast<int>(place % each), blend, options_.dimension);
    classifiers_.spend(statistics_operations(samples(), bands_));
  });
  return models;
}

}  // namespace parsimap
