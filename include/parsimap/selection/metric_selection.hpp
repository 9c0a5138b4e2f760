// The choice of the metric that all classes share, by samples that are left out, and how samples count in it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/kernel/kernel.hpp"

namespace parsimap {

// Penalties by class, for users to whom every class counts the same, however few its training samples.
//
// In every classifier, of whichever class against the rest, the slack of sample i is penalised by C_i = C s_i. With
// ClassWeights::balanced s_i = n / (K n_c), n_c of the n samples being of the class of i and K classes having samples:
// the penalties of every class add up to the same, and C is their mean. Classes of equal sizes have s_i = 1.
enum class ClassWeights {
  none,     // s_i = 1
  balanced  // s_i = n / (K n_c)
};

// "none", "balanced" and back; another text is a ConfigError that lists them.
ClassWeights parse_class_weights(const std::string& text);
std::string to_string(ClassWeights weights);

// s_i of samples with these class indices (0 or more), n, times their own weights, which may be empty.
Vector sample_weights(ClassWeights weights, const std::vector<int>& labels, const Vector& own = {});

// How sure a mean over samples is that are not independent of each other.

// The standard error of the weighted mean of differences, `difference` being weight times difference of each sample:
//   sqrt( U/(U-1) sum_units ( sum_{i in unit} s_i (delta_i - delta) )^2 ) / sum_i s_i.
// It is over units, since the pixels of one region are not independent of each other. 0 for a single unit.
double standard_error(const Vector& difference, double mean, const Vector& weights,
                      const std::vector<std::int64_t>& units);

// The metric of the classes for maps, chosen by left-out regions: four numbers that all classes share.
//
// The covariance of every class is blended with the pooled one, and the spectrum of its class model damped, at one
// width for all classes. (rho, g), width and C minimise the risk of left-out samples (docs/method.md, "Selection by
// left-out regions"). Where samples have morphological profiles, a second stage looks for the share and the weight of a
// kernel of these. The accuracy that is reported for left-out samples is the overall one whatever the class weights
// are, so that the two can be compared.
struct MetricShape {
  double blend = 0.5;         // rho in [0, 1]
  double damping = 0.5;       // g in [0, 1]; 0 is the Gaussian kernel
  bool rest = true;           // whether what is orthogonal to the directions counts; else w_0 = 0
  bool standardised = false;  // of spectra whose bands are divided by their own deviations (ScalingRule::standardise)
  bool operator==(const MetricShape&) const = default;
};

// The shapes of a family; the first one stands unless another is clearly better.
std::vector<MetricShape> metric_shapes(KernelFamily family);

// The metric of a class model at unit width.
ClassMetric shaped_metric(const SubspaceModel& model, const MetricShape& shape);

// The numbers that the classifiers of one metric still differ in: all weights of the metric are multiplied by `width`.
// Those of the kernel of profiles are shared by all classes, as width and C are: a few regions are not enough to
// estimate them for each class.
struct TrainingPoint {
  double width = 1;           // mean squared distance of two samples drawn from the class model
  double C = 1;               // penalty of the L2-SVM, the mean of those of the samples
  double share = 0;           // of the kernel of profiles, in [0, 1]
  double profile_weight = 0;  // ProfileTerm::weight, where the share is above 0
  bool operator==(const TrainingPoint&) const = default;
};

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
  Index samples = 0;  // that were left out in turn
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
  // K x K, of the shares of correct samples of the classes, as they vary between units. Empty as `confusion`.
  Matrix covariance = {};
  // K: the shares of the classes in the pixels of the scene as the model classifies them. Empty without a scene.
  Vector map_shares = {};
  bool neighbours = false;  // classified together with their neighbours, as in a map of the model
  // Where the largest class has at least twice as many samples as the smallest, and no class weights were asked for.
  std::optional<BalancedWeights> balanced = {};
};

struct Judgement {
  LeftOutScores scores;
  Matrix combination = {};   // M, K x K, of the values g = M f of which the largest is the label; empty: g = f
  double softmax_slope = 1;  // a of the probabilities softmax(a g) that suit left-out samples best
};

// Decision values of one-against-rest classifiers are not quite comparable where classes differ in size and spread.
// What combines them learns from the values of samples left out (docs/method.md, "Combined decision values").

// g = M f of the rows of `values` (n x K); the values themselves where `combination` is empty. A class that was not
// trained keeps its -infinity, and counts in no other value.
Matrix combined(const Matrix& combination, const Matrix& values);

// M of the lowest mean logarithmic loss of softmax(slope M f) and a ridge that draws M to the identity. `values` n x K
// are decision values of samples with these labels, that count as much as their weights (n). Samples with a value that
// is not finite are passed over; rows and columns of classes without any other sample, and for more than 50 classes all
// entries off the diagonal, are those of the identity.
Matrix fit_combination(const Matrix& values, const std::vector<int>& labels, const Vector& weights, double slope,
                       double ridge);

// How well decision values of left-out samples separate all classes.
//
// The risk of a sample is -log softmax(a f)_label, at the slope a with the lowest mean of it, plus 1 where the largest
// decision value is not that of its label. The logarithm alone prefers classifiers that are too smooth where classes
// overlap: their probabilities are calibrated best, but they classify fewer samples correctly than others with nearly
// the same logarithmic loss. The number of errors alone is discontinuous and has ties.
struct LeftOutRisk {
  double slope = 1;   // of probabilities, > 0: the a of targets that are smoothed by the number of units
  double mean = 0;    // weighted mean of the risks
  Vector risks;       // of every sample; 0 for those that do not count
  Vector losses;      // the logarithmic part of the risks
  double errors = 0;  // weighted fraction of the samples that count whose largest score (the first of equals) is wrong
};

// `scores` n x K, finite or -infinity for a class that was not trained; `labels` n class indices in [0, K); `weights`
// n, >= 0. A sample whose own class was not trained does not count. The slope is kept below the one at which the
// probabilities of well separated classes would all round to 0 and 1.
// With `units` U > 0 it is that of the smoothed targets 1 - 1/(U + 2) for the label and 1/((U + 2)(K - 1)) for others.
LeftOutRisk left_out_risk(const Matrix& scores, const std::vector<int>& labels, const Vector& weights, Index units = 0);

// The errors alone, of samples that may have other weights.
double left_out_errors(const Matrix& scores, const std::vector<int>& labels, const Vector& weights);

// How often samples of one class (row) have their largest score in another (column), K x K, of the samples that count.
CountMatrix left_out_confusion(const Matrix& scores, const std::vector<int>& labels);

// The covariance of the shares of correct samples of the classes, K x K, over `units` (n, equal for samples that were
// left out together). A class whose samples do not count has none.
Matrix left_out_covariance(const Matrix& scores, const std::vector<int>& labels,
                           const std::vector<std::int64_t>& units);

// What is gained by less than this is not worth the time of profiles in maps.
inline constexpr double kLeastProfileGain = 0.002;

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
  [[nodiscard]] bool kept() const { return gain >= kLeastProfileGain; }
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
  std::vector<ShapeScore> scan;              // every shape tried by spectra alone, the first one first
  std::optional<ProfileScore> profile = {};  // where samples have profiles that differ
  std::optional<JudgedPoint> spectra = {};   // the choice by spectra alone, where it was asked for and is another one
  Index classifiers = 0;                     // trained on the way
};

struct MetricSelectionOptions {
  KernelFamily family = KernelFamily::hdda;
  DimensionRule dimension;
  std::uint64_t seed = 0;  // of subsets and folds
  int threads = 1;
  Progress progress;  // called for every classifier that is trained; may throw to stop the search
  ClassWeights class_weights = ClassWeights::none;
  MetricKernel kernel = {};      // in the metrics of the classes, of select_metric() alone
  bool both = false;             // whether the choice by spectra alone is judged beside one with profiles
  bool profiles_always = false;  // the kernel of profiles is kept, whatever it gains
};

// Labelled spectra that a choice is evaluated on.
struct LabelledSpectra {
  const Matrix& spectra;                    // n x d, scaled; n x (d + q) where profiles follow
  const std::vector<int>& labels;           // n, class indices in [0, classes)
  const std::vector<std::int64_t>& groups;  // n, equal for samples that stay together
  std::size_t classes;
  Index features = 0;   // q
  Vector weights = {};  // n, > 0, of the error of each sample; empty: all the same
  // n, or none where all differ: samples of the same place are never left out apart from each other.
  std::vector<std::int64_t> places = {};
  Vector standardising = {};  // d factors of the bands that standardise them, where that is to be tried, too; or empty
  [[nodiscard]] Index bands() const { return spectra.cols() - features; }
};

// All shapes are scanned on a few hundred samples; the best of them, and the first, are compared on up to
// kSelectionSamples. The choice is judged on up to kJudgedSamples. All draw as many samples of one class as of another,
// or all that it has. Results do not depend on the number of threads.
MetricSelection select_metric(const LabelledSpectra& samples, const MetricSelectionOptions& options);

// About how many operations that takes; progress is reported in parts of them.
double selection_operations(const LabelledSpectra& samples, const MetricSelectionOptions& options);

// A class's metric from the spectra of its samples (any x d), its kernel of profiles, and the penalty of its
// classifier.
struct ClassDesign {
  std::function<ClassMetric(const Matrix& spectra)> metric;
  double C = 1;
  ProfileTerm profile = {};
};

// The same evaluation of classifiers that were chosen otherwise, one design for each class.
Judgement judge_left_out(const LabelledSpectra& samples, const std::vector<ClassDesign>& designs,
                         const MetricSelectionOptions& options);

// About how many operations that takes; progress is reported in parts of them.
double judgement_operations(const LabelledSpectra& samples, const MetricSelectionOptions& options);

inline constexpr Index kSelectionSamples = 1000;
// On which select_metric() judges its choice: fewer would tell of weaker classifiers than those that are trained in the
// end.
inline constexpr Index kJudgedSamples = 2000;

}  // namespace parsimap
