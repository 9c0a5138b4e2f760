// Classifiers on a few centres in place of all support spectra, where samples that were left out say that they are as
// good (docs/method.md, "Fewer support spectra").
//
// A map takes a kernel value for every support vector of every pixel. Exact classifiers have as many as the noise of
// the training samples asks for. Here all classes share m centres, samples chosen one after the other (Keerthi,
// Chapelle and DeCoste 2006), and every classifier is trained on them by all samples (svm/l2_svm.hpp). The
// samples are left out in turn, regions as a whole, of exact classifiers and of reduced ones with the same metrics. The
// fewest centres are taken whose accuracy, less two standard errors of the difference, is at most kReductionLoss below
// that of the exact classifiers; none, where that takes more than a quarter of the support spectra.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/selection/metric_selection.hpp"
#include "parsimap/validation/left_out.hpp"

namespace parsimap {

enum class SupportRule {
  reduced,  // few centres, where they are as good
  all       // exact classifiers
};

// "reduced", "all" and back; another text is a ConfigError that lists them.
SupportRule parse_support_rule(const std::string& text);
std::string to_string(SupportRule rule);

// Fewer support spectra than this cost a map hardly anything.
inline constexpr Index kFewestReducible = 500;
// Samples at most: exact classifiers of more take long to train without each fold, and a comparison on a part of them
// would favour few centres, because exact classifiers gain more from additional samples.
inline constexpr Index kMostReducible = 4000;
// Folds and classes whose exact classifiers are trained at the same time: each holds some 250 MB for so many samples.
inline constexpr int kReductionsAtOnce = 4;
inline constexpr double kReductionLoss = 0.001;

// Metric and penalty of the classifier of a class. Classifiers have one kernel of profiles, that of all columns behind
// the bands, or none.
struct ClassParameters {
  ClassMetric metric;
  double C = 1;
};

struct ReductionOptions {
  ClassWeights class_weights = ClassWeights::none;
  std::uint64_t seed = 0;           // of folds
  int threads = 1;                  // results do not depend on it
  int at_once = kReductionsAtOnce;  // nor on this: classes and folds of exact classifiers in work, for their memory
  Progress progress = {};
  Matrix combination = {};  // of the decision values of either kind of classifiers
};

// How samples that were left out were classified.
struct ReductionLoss {
  double exact_accuracy = 0;    // fraction that was right by exact classifiers, classes counted as in all samples
  double reduced_accuracy = 0;  // by classifiers on the centres
  double error = 0;             // standard error of the difference, over what was left out together
  Index samples = 0;            // that were left out in turn
  // The slopes of the probabilities softmax(a f) that suit the left-out decision values of either best.
  double exact_slope = 1;
  double reduced_slope = 1;
};

struct ReducedSupport {
  Indices centres;            // rows of the samples, ascending, m
  double penalty_factor = 1;  // C of the reduced classifiers over that of the exact ones
  Matrix coefficients;        // m x K
  Vector biases;              // K
  Vector violations;          // K, of the conditions of optimality
  ReductionLoss loss;
};

// `classifiers` are those of the K classes, `support` the number of spectra that support any of them when all samples
// are trained on exactly. Every class has samples. Empty where exact classifiers should stay, as for fewer than
// kFewestReducible support spectra and for more than kMostReducible samples.
std::optional<ReducedSupport> reduce_support(const LabelledSpectra& samples,
                                             const std::vector<ClassParameters>& classifiers, Index support,
                                             const ReductionOptions& options);

// About how many operations that takes at most.
double reduction_operations(Index samples, Index bands, std::size_t classes);

}  // namespace parsimap
