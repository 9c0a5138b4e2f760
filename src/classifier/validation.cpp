#include "parsimap/classifier/validation.hpp"

#include <algorithm>
#include <limits>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/validation/left_out_risk.hpp"

namespace parsimap {
// The training samples of a fold, with a class table of the trained classes alone; `classes` are their indices.
static SampleSet training_samples(const SampleSet& samples, const Fold& fold, std::vector<int>& classes) {
  SampleSet result = subset(samples, fold.train);
  result.classes.clear();
  std::vector<int> index(samples.classes.size(), -1);
  for (int c = 0; c < static_cast<int>(samples.classes.size()); ++c) {
    if (std::find(fold.untrained.begin(), fold.untrained.end(), c) == fold.untrained.end()) {
      index[static_cast<std::size_t>(c)] = static_cast<int>(classes.size());
      classes.push_back(c);
      result.classes.push_back(samples.classes[static_cast<std::size_t>(c)]);
    }
  }
  for (int& label : result.labels) {
    label = index[static_cast<std::size_t>(label)];
  }
  return result;
}

// Trains on the training samples of a fold and labels its test samples as a map would label them.
static ValidationFold run_fold(const SampleSet& samples, const Fold& fold, const TrainingOptions& options,
                               const Progress& progress) {
  std::vector<int> classes;
  // The whole training is repeated, including scaling and selection of the metric, so that
  // the test samples influence none of it. The model knows the trained classes only; `classes` leads back to all of
  // them.
  const SampleSet training = training_samples(samples, fold, classes);
  const Model model = train_one_vs_all(training, options, progress);
  Spectra decisions;
  Predictor(model).decision_values(raw_columns(model, subset(samples, fold.test)), options.threads, decisions);
  Matrix scores =
      Matrix::Constant(decisions.rows(), std::ssize(samples.classes), -std::numeric_limits<double>::infinity());
  scores(Eigen::all, classes) = decisions.cast<double>();
  return {fold.repeat,   fold.number,   training.size(),
          fold.buffered, fold.untested, left_out_confusion(scores, values_at(samples.labels, fold.test))};
}

CountMatrix Validation::pooled() const {
  CountMatrix sum = results.front().confusion;
  for (std::size_t i = 1; i < results.size(); ++i) {
    sum += results[i].confusion;
  }
  return sum;
}

Validation validate(const SampleSet& samples, const FoldPlan& plan, const TrainingOptions& options, int folds_at_once,
                    const Progress& progress) {
  Validation validation{plan.design, plan.groups};
  validation.results.resize(plan.folds.size());
  TrainingOptions fold_options = options;
  // Folds side by side have one class in work each.
  fold_options.classes_at_once = folds_at_once > 1 ? 1 : options.classes_at_once;
  // A fold has its share in the work by its training pixels.
  WorkProgress work(progress);
  for (const Fold& fold : plan.folds) {
    work.add(static_cast<double>(fold.train.size()));
  }
  parallel_for(static_cast<Index>(plan.folds.size()), options.threads, folds_at_once, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    validation.results[at] = run_fold(samples, plan.folds[at], fold_options, work.fraction(at));
  });
  return validation;
}

int folds_at_once(const SampleSet& samples, const FoldPlan& plan, const TrainingOptions& options, int threads,
                  std::int64_t allowed_bytes) {
  // Folds that are trained at the same time share the threads: each takes the memory of the largest fold on one thread.
  const auto most = largest<Index>(plan.folds, [](const Fold& fold) { return std::ssize(fold.train); });
  TrainingOptions of_fold = options;
  of_fold.threads = 1;
  const std::int64_t bytes = training_bytes(most, samples.spectra.cols(), of_fold, samples.profiles.cols());
  const std::int64_t fitting = std::min<std::int64_t>(allowed_bytes / bytes, std::ssize(plan.folds));
  return static_cast<int>(std::clamp<std::int64_t>(fitting, 1, threads));
}

}  // namespace parsimap
