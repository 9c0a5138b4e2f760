#include "parsimap/validation/left_out_evaluation.hpp"

#include <span>
#include <tuple>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/kernel/training_geometry.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/validation/combination.hpp"
#include "parsimap/validation/folds.hpp"

namespace parsimap {
// The ridge of the matrix that combines decision values, and that of the one by which this is decided.
constexpr double kRidge = 10;
constexpr double kStiffRidge = 100;

// A risk that is larger by so many standard errors of the difference.
constexpr double kClearly = 2;

// The share of the loss that a combination has to save: less is not worth a change of the map.
constexpr double kLeastCombined = 0.02;

Vector shares_of_all(const std::vector<int>& drawn, const std::vector<int>& all, std::size_t classes) {
  const std::vector<Index> every = class_counts(all, classes);
  const std::vector<Index> own = class_counts(drawn, classes);
  return Vector::NullaryExpr(std::ssize(drawn), [&](Index i) {
    const auto c = static_cast<std::size_t>(drawn[static_cast<std::size_t>(i)]);
    return static_cast<double>(every[c]) / static_cast<double>(own[c]);
  });
}

LeftOutScores left_out_scores(const Matrix& scores, const std::vector<int>& labels, const Vector& shares,
                              const Indices& rows, const std::vector<SampleUnit>& units,
                              const std::vector<Index>& folds) {
  return {.accuracy = 1 - left_out_errors(scores, labels, shares),
          .samples = std::ssize(labels),
          .units = unit_count(units),
          .by_region = {},
          .confusion = left_out_confusion(scores, labels),
          .records = left_out_records(scores, labels, rows, units, folds)};
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

void TrainingCount::add(double operations, Index classifiers) {
  const std::lock_guard lock(mutex_);
  clock_.at(phase_, std::min(1.0, spent_ / expected_));
  if (progress_) {
    progress_(clock_.share());
  }
  trained_ += classifiers;
  spent_ += operations;
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
      tried_{rows},
      labels_(values_at(all.labels, rows)),
      own_(all.weights.size() > 0 ? Vector(all.weights(rows)) : all.weights),
      units_(left_out_units(labels_, classes_, values_at(all.places, rows))) {
  const auto profiles = std::make_shared<const Matrix>(all.spectra(rows, Eigen::seqN(bands_, all.features)));
  const bool whole = all.features > 0 && !in_parts(classes_, 1);
  const auto distances =
      std::make_shared<const Matrix>(whole ? squared_distances(*profiles, options.threads) : Matrix());
  // Between two different samples, on average.
  profile_distance_ = distances->sum() / static_cast<double>(std::max<Index>(1, samples() * (samples() - 1)));
  fold_of_ = assign_folds(labels_, classes_, units_.units, kFolds, options.seed, 0);
  const Matrix spectra = all.spectra(rows, Eigen::seqN(0, bands_));
  const auto add_scorer = [&](Matrix scaled) {
    scorers_.emplace_back(std::move(scaled), labels_, classes_, fold_of_, options.class_weights, distances, own_,
                          profiles);
  };
  add_scorer(spectra);
  if (all.standardising.size() > 0) {
    add_scorer(spectra * all.standardising.asDiagonal());
  }
  // The fraction of samples that is drawn differs between classes, so that a drawn sample of a class represents n_c /
  // m_c of all its samples. This is its weight in the accuracy. In the risk of balanced classes all classes have the
  // same total weight instead.
  shares_ = shares_of_all(labels_, all.labels, classes_);
  weights_ = own_.size() > 0 ? Vector(shares_.cwiseProduct(own_)) : shares_;
  if (options_.class_weights == ClassWeights::balanced) {
    weights_ = sample_weights(ClassWeights::balanced, labels_, own_);
  }
}

std::vector<Matrix> LeftOutEvaluation::scores(const std::vector<ShapedPoints>& of_fold) {
  // The class models of every fold's complement do not depend on width and C, so one estimate serves all points.
  const auto models = mapped<const std::vector<SubspaceModel>*>(
      of_fold, [&](const ShapedPoints& fold) { return &fold_models(fold.shape); });
  const auto metric = [&](Index fold, int c) {
    const auto number = static_cast<std::size_t>(fold);
    const auto each = std::ssize(*models[number]) / kFolds;
    return shaped_metric((*models[number])[static_cast<std::size_t>(fold * each + c % each)], of_fold[number].shape);
  };
  const auto points = [&](Index fold, int) { return of_fold[static_cast<std::size_t>(fold)].points; };
  const auto on_classifier = [&] { classifiers_.add(each_classifier(of_fold.front().points.size())); };
  return scorer(of_fold.front().shape).scores(metric, points, options_.threads, on_classifier, options_.kernel);
}

LeftOutEvaluation::Outcome LeftOutEvaluation::best_of(const MetricShape& shape,
                                                      const std::vector<TrainingPoint>& points) {
  const std::vector<Matrix> found = scores({kFolds, {shape, points}});
  std::vector<LeftOutRisk> risks(points.size());
  parallel_for(static_cast<Index>(points.size()), options_.threads, [&](Index k) {
    const auto point = static_cast<std::size_t>(k);
    risks[point] = left_out_risk(found[point], labels_, weights_, units());
  });
  std::size_t best = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    best = risks[k].mean < risks[best].mean ? k : best;
    tried_.points.push_back({shape, points[k], risks[k].risks.cwiseProduct(weights_)});
  }
  return {points[best], std::move(risks[best]), left_out_errors(found[best], labels_, shares_), found[best]};
}

TriedPoint choice_without(const Indices& held, const LabelledSpectra& all, const TriedPoints& tried,
                          const EvaluationOptions& options, TrainingCount& classifiers) {
  const TriedPoint& best = tried.best_without(held);
  if (!tried.again) {
    return best;
  }
  const Indices left =
      indices_where(tried.rows.size(), [&](std::size_t i) { return !std::ranges::binary_search(held, tried.rows[i]); });
  const Indices rows = values_at(tried.rows, left);
  const std::vector<SampleUnit> units = values_at(units_of(all.places), rows);
  // What is clearly worse by the risks of the others would not be chosen without these samples, either.
  const auto points = filtered(tried.points, [&](const TriedPoint& one) {
    const Vector worse = (one.risks - best.risks)(left);
    return worse.mean() <= kClearly * standard_error(worse, Vector::Ones(worse.size()), units);
  });
  if (held.empty() || points.size() < 2) {
    return best;
  }
  LeftOutEvaluation others(all, rows, options, classifiers);
  // Points of one shape, which were tried together, share their kernels again.
  for (auto first = points.begin(); first != points.end();) {
    const auto last = std::find_if(first, points.end(), [&](const auto& one) { return !(one.shape == first->shape); });
    std::ignore = others.best_of(first->shape, mapped<TrainingPoint>(std::span(first, last), &TriedPoint::point));
    first = last;
  }
  return others.tried().best_without({});
}

std::vector<ClassifierDesign> chosen_without(const std::vector<FoldRows>& folds, const Indices& rows,
                                             const LabelledSpectra& all, const TriedPoints& tried,
                                             const ClassifierDesign& design, const EvaluationOptions& options) {
  if (tried.points.empty()) {
    return {design};
  }
  const Progress none;
  TrainingCount classifiers(none, {{"choice", 1}});
  const std::vector<SampleUnit> units = units_of(all.places);
  return mapped<ClassifierDesign>(folds, [&](const FoldRows& fold) {
    const std::vector<SampleUnit> left = distinct(values_at(units, values_at(rows, fold.test)));
    const auto is_held = [&](Index i) { return std::ranges::binary_search(left, units[static_cast<std::size_t>(i)]); };
    const Indices held = filtered(consecutive(std::ssize(units)), is_held);
    const auto& [shape, point, risks] = choice_without(held, all, tried, options, classifiers);
    ClassifierDesign result = design;
    result.shape = shape;
    result.width = point.width;
    result.C.assign(design.C.size(), point.C);
    for (ClassMetric& metric : result.learnt) {
      metric.profile = {metric.profile.features, point.profile_weight, point.share};
    }
    return result;
  });
}

Matrix LeftOutEvaluation::chosen_by_others(const LabelledSpectra& all, const TriedPoints& tried,
                                           const MetricShape& shape, const Outcome& outcome) {
  const auto choices = mapped<ShapedPoints>(consecutive(kFolds), [&](Index fold) {
    const Indices held = values_at(tried_.rows, scorers_.front().held_rows(fold));
    const TriedPoint best = choice_without(held, all, tried, options_, classifiers_);
    return ShapedPoints{best.shape, {best.point}};
  });
  const bool alike = std::ranges::all_of(choices, [&](const ShapedPoints& choice) {
    return choice.shape == shape && choice.points.front() == outcome.point;
  });
  return alike ? outcome.scores : scores(choices).front();
}

Matrix LeftOutEvaluation::scores(const ClassifierDesign& design) const {
  const LeftOutScorer& given = scorers_.front();
  const auto metrics = mapped<std::vector<ClassMetric>>(consecutive(kFolds), [&](Index fold) {
    const Indices& rows = given.training_rows(fold);
    return design.metrics(given.spectra()(rows, Eigen::all), values_at(labels_, rows));
  });
  const auto metric = [&](Index fold, int c) {
    return metrics[static_cast<std::size_t>(fold)][static_cast<std::size_t>(c)];
  };
  const auto points = [&](Index, int c) {
    return std::vector<TrainingPoint>{{1, design.C[static_cast<std::size_t>(c)]}};
  };
  return given.scores(metric, points, options_.threads, [&] { classifiers_.add(each_classifier(1)); }).front();
}

ShapeScore LeftOutEvaluation::score(const MetricShape& shape, const Outcome& first, const Outcome& outcome) const {
  // The gain over the first shape is the weighted mean of the paired differences of the risks. Differences do not
  // contain what makes a sample difficult for all shapes alike, so that their standard error is usually smaller than
  // that of either risk.
  const Vector difference = weights_.cwiseProduct(first.risk.risks - outcome.risk.risks);
  const double gain = difference.sum() / weights_.sum();
  return {shape, outcome.point, outcome.risk.mean, gain, standard_error(difference, weights_, units_.units), samples()};
}

Judgement LeftOutEvaluation::judgement(const Matrix& scores) const {
  Judgement result{left_out_scores(scores, labels_, shares_, tried_.rows, units_.units, fold_of_)};
  result.scores.by_region = units_.by_region;
  result.softmax_slope = left_out_risk(scores, labels_, weights_, units()).slope;
  result.own_probabilities = own_probabilities(scores, result.softmax_slope, labels_, units_.units, units_.by_region);
  return result;
}

Matrix LeftOutEvaluation::combination_of(const Indices& rows, const Outcome& outcome, const Matrix& single) const {
  const std::vector<int> labels = values_at(labels_, rows);
  // A class counts as much as the root of what its samples do: as much as these, rare classes would nearly vanish from
  // the map; all the same, they would take too many pixels from the frequent ones.
  Vector weights = weights_(rows);
  Vector counts = Vector::Zero(single.cols());
  for (Index i = 0; i < weights.size(); ++i) {
    counts(labels[static_cast<std::size_t>(i)]) += weights(i);
  }
  weights = weights.cwiseQuotient(counts(labels).cwiseSqrt());
  const auto fitted = [&](double ridge) {
    return fit_combination(single(rows, Eigen::all), labels, weights, outcome.risk.slope, ridge);
  };
  // Whether to combine is decided by a stiffer matrix, which cannot adapt much to the samples that it is judged on.
  const Matrix plain = outcome.scores(rows, Eigen::all);
  const Matrix stiff = combined(fitted(kStiffRidge), plain);
  const auto losses = [&](const Matrix& scores) { return left_out_risk(scores, labels, weights).losses; };
  const Vector before = losses(plain);
  const Vector gain = weights.cwiseProduct(before - losses(stiff));
  const double mean = gain.sum() / weights.sum();
  const double least = std::max(kLeastCombined * before.dot(weights) / weights.sum(),
                                standard_error(gain, weights, values_at(units_.units, rows)));
  // The risk may fall where labels do not become better: a matrix that makes a small class likely does so.
  const bool worse = accuracies(rows, left_out_correct(stiff, labels), left_out_correct(plain, labels)).worse();
  return mean > least && !worse ? fitted(kRidge) : Matrix();
}

Judgement LeftOutEvaluation::combined_judgement(const Matrix& scores, const Outcome& outcome,
                                                const Matrix& single) const {
  Matrix by_others = scores;
  parallel_for(kFolds, options_.threads, [&](Index fold) {
    const LeftOutScorer& given = scorers_.front();
    const Indices& held = given.held_rows(fold);
    if (!held.empty()) {
      by_others(held, Eigen::all) =
          combined(combination_of(given.training_rows(fold), outcome, single), scores(held, Eigen::all));
    }
  });
  Judgement result = judgement(by_others);
  result.combination = combination_of(consecutive(samples()), outcome, single);
  return result;
}

BalancedWeights LeftOutEvaluation::balanced_weights(const MetricShape& shape, const TrainingPoint& point) {
  const Vector shares = shares_ / shares_.mean();
  scorer(shape).reweigh(ClassWeights::none, own_.size() > 0 ? Vector(own_.cwiseProduct(shares)) : shares);
  const auto correct = [&] { return left_out_correct(scores({kFolds, {shape, {point}}}).front(), labels_); };
  const Vector without = correct();
  scorer(shape).reweigh(ClassWeights::balanced, own_);
  const Vector with = correct();
  scorer(shape).reweigh(options_.class_weights, own_);
  return accuracies(consecutive(samples()), with, without);
}

BalancedWeights LeftOutEvaluation::accuracies(const Indices& rows, const Vector& with, const Vector& without) const {
  // In the average accuracy all samples of a class together count as much as those of any other class.
  const Vector average = sample_weights(ClassWeights::balanced, values_at(labels_, rows));
  const Vector shares = shares_(rows);
  const auto mean = [](const Vector& correct, const Vector& weights) { return correct.dot(weights) / weights.sum(); };
  const auto error = [&](const Vector& weights) {
    return standard_error(weights.cwiseProduct(with - without), weights, values_at(units_.units, rows));
  };
  return {mean(with, average), mean(with, shares), mean(without, average), mean(without, shares),
          with.size(),         error(average),     error(shares)};
}

double LeftOutEvaluation::each_classifier(std::size_t points) const {
  return classifier_operations(samples(), bands_, classes_, points) /
         static_cast<double>(static_cast<std::size_t>(kFolds) * classes_ * points);
}

const std::vector<SubspaceModel>& LeftOutEvaluation::fold_models(const MetricShape& shape) {
  std::vector<SubspaceModel>& models = models_[{shape.standardised, shape.blend}];
  if (!models.empty()) {
    return models;
  }
  // The samples of a fold contribute to no model by which they are evaluated: class covariances and the pooled
  // covariance, which is the same for all classes, are estimated from the other folds only.
  const auto of_fold = mapped<BlendedModels>(consecutive(kFolds), [&](Index fold) {
    const LeftOutScorer& scaled = scorer(shape);
    const Indices& rows = scaled.training_rows(fold);
    return BlendedModels(scaled.spectra()(rows, Eigen::all), values_at(labels_, rows), classes_);
  });
  const std::size_t each = shape.blend > 0 ? classes_ : 1;
  models.resize(of_fold.size() * each);
  parallel_for(static_cast<Index>(models.size()), options_.threads, [&](Index i) {
    const auto place = static_cast<std::size_t>(i);
    models[place] = of_fold[place / each].model(static_cast<int>(place % each), shape.blend, options_.dimension);
    classifiers_.add(statistics_operations(samples(), bands_), 0);
  });
  return models;
}

}  // namespace parsimap
