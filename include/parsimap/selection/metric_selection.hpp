// The choice of the metric that all classes share, by samples that are left out: four numbers.
//
// The covariance of every class is blended with the pooled one, and the spectrum of its class model damped, at one
// width for all classes. (rho, g), width and C minimise the risk of left-out samples (docs/method.md, "Selection by
// left-out regions"). Where samples have morphological profiles, a second stage looks for the share and the weight of a
// kernel of these.
#pragma once

#include <optional>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/validation/left_out.hpp"
#include "parsimap/validation/left_out_evaluation.hpp"

namespace parsimap {

// The two criteria that hyperparameters are chosen by.
enum class CriterionKind {
  leave_one_out,  // loss of samples whose region was left out, one metric for all classes
  radius_margin   // T = R^2 M^2, the paper's bound, of every class by itself (radius_margin.hpp)
};

// "leave-one-out", "radius-margin" and back; another text is a ConfigError that lists them.
CriterionKind parse_criterion(const std::string& text);
std::string to_string(CriterionKind kind);

// What the kernel of profiles is worth beside that of the spectra.
struct ProfileScore {
  TrainingPoint point;          // of the lowest risk with a share above 0
  double width = 0;             // mean squared distance of two profiles, times the weight
  double risk = 0;              // there, mean over the samples
  double gain = 0;              // risk without profiles less this one, on the same samples
  double gain_error = 0;        // standard error of the gain, over what is left out together
  double accuracy = 0;          // fraction of the left-out samples that was right, classes counted as in all samples
  double spectra_accuracy = 0;  // the same without profiles
  Index samples = 0;            // that were left out in turn
  [[nodiscard]] bool kept() const { return gain >= kLeastGain; }
  bool operator==(const ProfileScore&) const = default;
};

// A point, and how samples were classified there when they were left out.
struct JudgedPoint {
  TrainingPoint point;
  double risk = 0;
  Judgement judgement;
};

struct MetricSelection : JudgedPoint {
  MetricShape shape;
  ClassWeights class_weights = ClassWeights::none;  // not automatic
  std::vector<ShapeScore> scan;                     // every shape tried by spectra alone, the first one first
  std::optional<ProfileScore> profile = {};         // where samples have profiles that differ
  std::optional<JudgedPoint> spectra = {};  // the choice by spectra alone, where it was asked for and is another one
  Index classifiers = 0;                    // trained on the way
};

struct MetricSelectionOptions : EvaluationOptions {
  KernelFamily family = KernelFamily::hdda;
  Progress progress;             // called for every classifier that is trained; may throw to stop the search
  bool both = false;             // whether the choice by spectra alone is judged beside one with profiles
  bool profiles_always = false;  // the kernel of profiles is kept, whatever it gains
  double effort = 1;             // bounds the comparison of candidates on more samples: units of 10^11 operations
};

// All shapes are scanned on a few hundred samples; the best of them, and the first, are compared on up to
// kSelectionSamples. The choice is judged on up to kJudgedSamples. All draw as many samples of one class as of another,
// or all that it has. Results do not depend on the number of threads.
MetricSelection select_metric(const LabelledSpectra& samples, const MetricSelectionOptions& options);

// A choice for a first look, in a hundredth of the time: the first shape of the family at the best of a few points, on
// a few hundred samples, without profiles and class weights.
MetricSelection quick_metric(const LabelledSpectra& samples, const MetricSelectionOptions& options);

// About how many operations that takes; progress is reported in parts of them.
double selection_operations(const LabelledSpectra& samples, const MetricSelectionOptions& options);

// The same evaluation of classifiers that were chosen otherwise.
Judgement judge_left_out(const LabelledSpectra& samples, const ClassifierDesign& design,
                         const MetricSelectionOptions& options);

// About how many operations that takes; progress is reported in parts of them.
double judgement_operations(const LabelledSpectra& samples, const MetricSelectionOptions& options);

inline constexpr Index kSelectionSamples = 1000;
// On which select_metric() judges its choice: fewer would tell of weaker classifiers than those that are trained in the
// end.
inline constexpr Index kJudgedSamples = 2000;
// On which candidates are compared at most that fewer samples cannot tell apart.
inline constexpr Index kRaceSamples = 4000;

}  // namespace parsimap
