// Evaluates metrics and classifiers on samples that were left out of their estimation (docs/method.md, "Selection by
// left-out regions").
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/validation/left_out.hpp"
#include "parsimap/validation/left_out_risk.hpp"
#include "parsimap/validation/prediction_sets.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"

namespace parsimap {

struct ShapeScore {
  MetricShape shape;
  TrainingPoint point;    // of the lowest loss
  double risk = 0;        // there, mean over the samples
  double gain = 0;        // risk of the first shape less this one, on the same samples
  double gain_error = 0;  // standard error of the gain, over what is left out together
  Index samples = 0;      // that were left out in turn
};

// What ClassWeights::balanced changes: accuracies of left-out samples with and without it, at the same metric and C.
struct BalancedWeights {
  double average_accuracy = 0;  // with balanced weights
  double overall_accuracy = 0;  // likewise, classes counted as in all samples
  double average_without = 0;
  double overall_without = 0;
  Index samples = 0;         // that were left out in turn
  double average_error = 0;  // standard error of the gain in average accuracy, over units
  double overall_error = 0;  // likewise of the overall accuracy
  // The average accuracy gains more than its error, and the overall one loses no more than its error and that gain.
  [[nodiscard]] bool better() const {
    const double gain = average_accuracy - average_without;
    return gain > average_error && overall_without - overall_accuracy <= std::min(gain, overall_error);
  }
  // One of the accuracies loses more than its error.
  [[nodiscard]] bool worse() const {
    return average_without - average_accuracy > average_error || overall_without - overall_accuracy > overall_error;
  }
  bool operator==(const BalancedWeights&) const = default;
};

// How samples were classified when they were left out.
struct LeftOutScores {
  double accuracy = 0;          // fraction that was right, classes counted as in all samples
  Index samples = 0;            // that were left out in turn
  Index units = 0;              // regions, and samples that were left out by themselves
  std::vector<bool> by_region;  // by class: whole regions were left out, not single samples
  // K x K counts of the samples left out, rows their own classes, columns the classes they were taken for. Unset in
  // models of a version that did not count them.
  std::optional<CountMatrix> confusion = {};
  // K: the shares of the classes in the pixels of the scene as the model classifies them. Empty without a scene.
  Vector map_shares = {};
  bool neighbours = false;  // classified together with their neighbours, as in a map of the model
  // Where class weights were to be chosen, and the largest class has at least twice as many samples as the smallest.
  std::optional<BalancedWeights> balanced = {};
  // While a model is trained; models do not keep them.
  std::vector<LeftOutRecord> records = {};
  TriedPoints tried = {};  // what the choice was made of, in its scaling, with profiles or without; may be empty
};

// How many of all samples (labels in [0, classes)) each of those drawn stands for: as many as any of its class.
Vector shares_of_all(const std::vector<int>& drawn, const std::vector<int>& all, std::size_t classes);

// What decision values (n x K) say of samples of these labels, rows, units and folds, of which each stands for a number
// of all samples (`shares`).
LeftOutScores left_out_scores(const Matrix& scores, const std::vector<int>& labels, const Vector& shares,
                              const Indices& rows, const std::vector<SampleUnit>& units,
                              const std::vector<Index>& folds);

struct Judgement {
  LeftOutScores scores;
  Matrix combination = {};   // M, K x K, of the values g = M f of which the largest is the label; empty: g = f
  double softmax_slope = 1;  // a of the probabilities softmax(a g) that suit left-out samples best
  std::vector<OwnProbabilities> own_probabilities = {};  // K, at the left-out samples
};

struct EvaluationOptions {
  DimensionRule dimension;
  std::uint64_t seed = 0;  // of subsets and folds
  int threads = 1;
  ClassWeights class_weights = ClassWeights::none;
  MetricKernel kernel = {};  // in the metrics of the classes
};

// Counts trained classifiers and reports the share of the work that is done, also from several threads at a time.
class TrainingCount {
 public:
  // The steps with the operations that they are expected to take. `progress` is kept by the caller.
  TrainingCount(const Progress& progress, std::vector<PlannedPhase> steps);

  // What follows belongs to this step.
  void begin(std::size_t step);

  // To be called before so many classifiers, or something else, that take about so many operations.
  void add(double operations, Index classifiers = 1);
  [[nodiscard]] Index trained() const { return trained_; }

 private:
  const Progress& progress_;
  std::vector<PlannedPhase> steps_;
  PhaseClock clock_;
  std::mutex mutex_;
  std::size_t phase_ = 0;  // of the clock, which forgets steps that are passed over
  Index trained_ = 0;
  double spent_ = 0;     // operations of the step
  double expected_ = 0;  // likewise
};

// About how many operations it takes to train the classifiers of all folds at so many points, for `classes` classes and
// `samples` samples that are left out in turn; and to model the classes without every fold.
double classifier_operations(Index samples, Index bands, std::size_t classes, std::size_t points);
double model_operations(Index samples, Index bands, std::size_t classes);

// Some of the labelled samples, dealt out to folds, and what is needed to leave the folds out in turn.
class LeftOutEvaluation {
 public:
  // Evaluates on the rows `rows` (ascending) of the samples. Options and count are kept by the caller.
  LeftOutEvaluation(const LabelledSpectra& all, const Indices& rows, const EvaluationOptions& options,
                    TrainingCount& classifiers);
  LeftOutEvaluation(const LeftOutEvaluation&) = delete;
  LeftOutEvaluation& operator=(const LeftOutEvaluation&) = delete;

  [[nodiscard]] Index samples() const { return std::ssize(labels_); }
  // Mean squared distance between the profiles of two of the samples; 0 without profiles, and with many classes.
  [[nodiscard]] double profile_distance() const { return profile_distance_; }

  // What left-out samples say of one candidate.
  struct Outcome {
    TrainingPoint point;
    LeftOutRisk risk;
    double errors = 0;  // fraction of wrong labels, classes counted as in all samples
    Matrix scores;      // n x K, decision values of the samples left out
  };

  // The outcome of lowest risk among `points` (not empty) with metrics of a shape.
  [[nodiscard]] Outcome best_of(const MetricShape& shape, const std::vector<TrainingPoint>& points);

  // The decision values (n x K) of classifiers of a design without profiles.
  [[nodiscard]] Matrix scores(const ClassifierDesign& design) const;

  // The outcome of a shape, and how much lower its risk is than that of `first`, with the standard error over units.
  [[nodiscard]] ShapeScore score(const MetricShape& shape, const Outcome& first, const Outcome& outcome) const;

  // What was tried, by best_of().
  [[nodiscard]] const TriedPoints& tried() const { return tried_; }

  // The decision values of the samples (n x K) where the samples of a fold had no part in the choice: those of every
  // fold at the point that is the best without it. `all`: whose rows these are; `outcome`: the choice, of this shape.
  [[nodiscard]] Matrix chosen_by_others(const LabelledSpectra& all, const TriedPoints& tried, const MetricShape& shape,
                                        const Outcome& outcome);

  [[nodiscard]] Judgement judgement(const Matrix& scores) const;

  // Units that are left out, which are samples where no region could be left out as a whole.
  [[nodiscard]] Index units() const { return unit_count(units_.units); }

  // The same where decision values are combined if this is better for the outcome of a choice, by a matrix that learns
  // from `single`, the decision values of the same samples, each left out by itself. `scores` of a fold are combined as
  // the others alone would have it.
  [[nodiscard]] Judgement combined_judgement(const Matrix& scores, const Outcome& outcome, const Matrix& single) const;

  // What balanced class weights change at this point. Where some samples stand for more of all samples than others do,
  // they have as much more weight without class weights.
  [[nodiscard]] BalancedWeights balanced_weights(const MetricShape& shape, const TrainingPoint& point);

 private:
  // Of samples (`rows` of this evaluation) that are right (1) or wrong (0) with and without what is compared.
  [[nodiscard]] BalancedWeights accuracies(const Indices& rows, const Vector& with, const Vector& without) const;

  // Of a fold: a shape, and points that share it.
  struct ShapedPoints {
    MetricShape shape;
    std::vector<TrainingPoint> points;
  };

  // For every point the decision values of all samples, those of each fold at points of its own; shapes of one scaling.
  [[nodiscard]] std::vector<Matrix> scores(const std::vector<ShapedPoints>& of_fold);
  [[nodiscard]] LeftOutScorer& scorer(const MetricShape& shape) { return scorers_[shape.standardised ? 1 : 0]; }
  // The matrix that these samples combine decision values by; empty where they are not better by it.
  [[nodiscard]] Matrix combination_of(const Indices& rows, const Outcome& outcome, const Matrix& single) const;
  // Fold by fold, and in each class by class; one for all classes without a blend.
  [[nodiscard]] const std::vector<SubspaceModel>& fold_models(const MetricShape& shape);
  // Of one classifier, where as many are trained for each class and fold as there are points.
  [[nodiscard]] double each_classifier(std::size_t points) const;

  const EvaluationOptions& options_;
  TrainingCount& classifiers_;
  std::size_t classes_;
  Index bands_;
  double profile_distance_ = 0;
  TriedPoints tried_;  // with the rows of the samples
  std::vector<int> labels_;
  Vector own_;  // n, LabelledSpectra::weights of the samples; or empty
  LeftOutUnits units_;
  std::vector<Index> fold_of_;
  Vector shares_;                       // n: how many of all samples each one stands for
  Vector weights_;                      // n: how much each one counts in the risk
  std::vector<LeftOutScorer> scorers_;  // on the bands as given, and by LabelledSpectra::standardising
  std::map<std::pair<bool, double>, std::vector<SubspaceModel>> models_;  // by scaling and blend
};

// The point that would have been chosen without the samples `held` (ascending rows of all training samples).
TriedPoint choice_without(const Indices& held, const LabelledSpectra& all, const TriedPoints& tried,
                          const EvaluationOptions& options, TrainingCount& classifiers);

// For each fold the design at the point that would have been chosen without the units it leaves out; the design alone
// where nothing was tried. `all`: the training samples; `rows`: among them, those that the folds count.
std::vector<ClassifierDesign> chosen_without(const std::vector<FoldRows>& folds, const Indices& rows,
                                             const LabelledSpectra& all, const TriedPoints& tried,
                                             const ClassifierDesign& design, const EvaluationOptions& options);

}  // namespace parsimap
