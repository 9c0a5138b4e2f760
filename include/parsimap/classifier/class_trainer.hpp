// Training of single classes against the rest, on one set of training samples.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/selection/metric_selection.hpp"
#include "parsimap/svm/l2_svm.hpp"
#include "parsimap/validation/left_out.hpp"
#include "parsimap/validation/left_out_evaluation.hpp"

namespace parsimap {

struct TrainingOptions {
  KernelFamily family = KernelFamily::hdda;
  CriterionKind criterion = CriterionKind::leave_one_out;
  DimensionRule dimension;
  ScalingRule scaling = ScalingRule::automatic;
  ClassWeights class_weights = ClassWeights::automatic;
  std::uint64_t seed = 0;             // of the subsets and folds that hyperparameters are selected by
  int threads = 1;                    // share the work, between classes and inside of them
  std::optional<double> effort = {};  // MetricSelectionOptions::effort; unset: its default
  // Classes in work at the same time, each of which takes memory; no more than threads in any case.
  int classes_at_once = std::numeric_limits<int>::max();
  // Support vectors of a classifier up to which its system is factorised. Beyond it is solved iteratively.
  Index largest_factor = 10000;
  // Centres that the classifiers of all classes share (svm/l2_svm.hpp) in place of support vectors of their
  // own; 0 for none, whose classifiers are exact. Unset: kUsualCentres where there are more than kMostExactSamples.
  std::optional<Index> centres = {};
  bool profiles_always = false;  // where samples have profiles, their kernel is kept whatever it gains
};

inline constexpr Index kMostExactSamples = 50000;
inline constexpr Index kUsualCentres = 1000;

// "none", which is 0, or a number of centres from 2 to 20000; anything else is a ConfigError.
Index parse_centres(const std::string& text);

// How many centres that makes for so many samples, 0 for exact classifiers. The criterion radius-margin has none.
Index centre_count(Index samples, const TrainingOptions& options);

// ConfigError when the options contradict each other: the radius-margin bound is one of exact classifiers with a single
// C.
void check_training_options(const TrainingOptions& options);

// The kernel and the penalty of one class, and how they were found.
struct ClassChoice {
  ClassMetric metric;
  double C = 1;  // mean of the penalties of the samples (ClassWeights)
  SelectionRecord record;
  bool trivial = false;  // a descent that ended where is_trivial(), and classifiers say nothing of their class
};

class ClassTrainer {
 public:
  // Raw spectra of the bands used, at least two classes, at least one sample of each, and their profiles, if they have
  // any. The samples are kept by the caller. ConfigError as by check_training_options(), and for profiles with the
  // criterion radius-margin.
  ClassTrainer(const SampleSet& samples, const TrainingOptions& options);

  [[nodiscard]] const SampleSet& samples() const { return samples_; }
  [[nodiscard]] const TrainingOptions& options() const { return options_; }
  [[nodiscard]] const Scaling& scaling() const { return scaling_; }
  // That of scaling(); not automatic.
  [[nodiscard]] ScalingRule scaling_rule() const { return rule_; }
  // Those that were asked for or chosen; not automatic.
  [[nodiscard]] ClassWeights class_weights() const {
    return options_.class_weights == ClassWeights::automatic ? ClassWeights::none : options_.class_weights;
  }
  // The spectra of the training samples, scaled, n x d.
  [[nodiscard]] const Matrix& spectra() const { return spectra_; }
  // The training samples as kernels of this metric see them: their spectra, followed by their profiles where it has a
  // term for them.
  [[nodiscard]] const Matrix& columns(const ClassMetric& metric) const {
    return metric.profile.features > 0 ? columns_ : spectra_;
  }

  // The metric that all classes share but for their own covariances, with the criterion leave-one-out.
  // The metric may be one of standardised spectra, where the scaling is to be chosen; then use() makes the trainer one
  // of these. It also takes the class weights that were chosen.
  void use(const MetricSelection& selection);
  // With `both`, a choice with profiles comes with the one by spectra alone.
  [[nodiscard]] MetricSelection select_metric(const Progress& progress, bool both = false) const;
  // quick_metric() of the samples.
  [[nodiscard]] MetricSelection quick_metric(const Progress& progress) const;
  [[nodiscard]] std::vector<ClassChoice> choices(const MetricShape& shape, const JudgedPoint& point,
                                                 Index classifiers) const;
  [[nodiscard]] std::vector<ClassChoice> choices(const MetricSelection& selection) const {
    return choices(selection.shape, selection, selection.classifiers);
  }

  // The descent of one class on the radius-margin bound, with all samples. May be called from several threads at a
  // time.
  [[nodiscard]] ClassChoice descend(int c, const Work& work) const;

  // The training samples, scaled, as the selection of the metric sees them.
  [[nodiscard]] LabelledSpectra labelled() const;

  // How well classifiers of these choices, one for each class, classify samples that are left out.
  [[nodiscard]] Judgement judge(const std::vector<ClassChoice>& choices, const Progress& progress) const;

  // The classifier of a choice, fitted to all samples. Its support are rows of the training samples. DataError when the
  // kernel matrix is not positive definite to working precision.
  [[nodiscard]] BinaryClassifier fit(int c, const ClassChoice& choice, const Work& work) const;

 private:
  void scale(ScalingRule rule);
  [[nodiscard]] std::vector<SubspaceModel> class_models(double blend) const;
  [[nodiscard]] MetricSelectionOptions selection_options(const Progress& progress, bool both = false) const;

  const SampleSet& samples_;
  TrainingOptions options_;
  ScalingRule rule_;
  Scaling scaling_;
  Vector standardising_;                     // LabelledSpectra::standardising
  Matrix spectra_;                           // scaled
  Matrix columns_;                           // and followed by profiles, where there are any
  std::shared_ptr<const Matrix> distances_;  // between them, shared by the classes; for descents only
};

// The classifier of a choice but for what its fit finds: support, coefficients, bias and how it ended.
BinaryClassifier described_classifier(const SampleSet& samples, int c, const ClassChoice& choice);

// The same with what its fit has found; its support are rows of the samples. DataError when the kernel matrix was not
// positive definite to working precision.
BinaryClassifier fitted_classifier(const SampleSet& samples, int c, const ClassChoice& choice,
                                   const MarginSolution& margin);

// About how many operations the steps of a training take. Of the spectra of the samples only the number of columns
// counts.
struct TrainingWork {
  double choice = 0;                 // of select_metric(), or of judge() where the criterion is radius-margin
  double descent = 0;                // of one class; 0 without descents
  std::vector<double> fits;          // of every class
  [[nodiscard]] double sum() const;  // of all classes
};
TrainingWork expected_work(const LabelledSpectra& samples, const TrainingOptions& options);
TrainingWork expected_work(const SampleSet& samples, const TrainingOptions& options);

// Decision values f(x) of one classifier for scaled spectra (m x d), followed by profiles where its metric has a term
// for them, in double precision: m. `support_spectra` (likewise) are the rows that classifier.support points into.
Vector decision_values(const BinaryClassifier& classifier, const Matrix& support_spectra, const Matrix& spectra);

}  // namespace parsimap
