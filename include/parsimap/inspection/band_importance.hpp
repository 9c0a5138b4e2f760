// Which wavelengths matter: intervals of bands that are alike, and what classifiers lose without them.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"

namespace parsimap {

// The bands of a spectrum in intervals of neighbours that tell much the same.
//
// A single band of a few hundred says nothing that its neighbours do not say. The bands, in the order of their
// wavelengths, are cut into J intervals such that the bands of each are as alike as possible: with standardised bands,
// r_jk their correlations, the cuts minimise the sum over the intervals I of
//   |I| - 1/|I| sum_{j, k in I} r_jk,
// the sum of squares of the bands about the mean of their interval, by dynamic programming (Fisher 1958, On grouping
// for maximum homogeneity). So cuts come where neighbouring bands decorrelate.

// The columns of `spectra` (n x d, n >= 2) that each interval holds, of which there are `most` >= 1 at most. `order`
// are the columns by wavelength (or as they are), d; intervals are runs of it, in its order, and cover it. No interval
// is narrower than d / (4 most), rounded, so that single noisy bands get none of their own. A band without variance is
// correlated with nothing.
std::vector<Indices> band_intervals(const Matrix& spectra, const Indices& order, Index most = 15);

// Which wavelengths the classifiers of a model need, by class.
//
// Samples that were left out (validation/refitted_classifiers.hpp) are scored again with one interval of bands replaced
// by what the other bands let expect of it, the conditional mean of a normal distribution, x_I <- m_I + S_IR (S_RR + e
// I)^-1 (x_R - m_R), with the mean m and covariance S of the samples that the classifiers were trained on: what is then
// missing is only what the interval alone knows. And they are scored by classifiers that were trained on the interval
// and no other band, in the same folds and with the same shape, width and penalties: what these get right is what the
// interval knows. The scores are the logarithmic loss -log softmax(a f)_label and the share of right labels. Profiles
// that follow the spectra stay as they are.

// The mean scores of the samples of one class, or of all.
struct IntervalScore {
  double loss = 0;      // mean logarithmic loss
  double accuracy = 0;  // share of right labels
};

struct IntervalEffect {
  IntervalScore without;       // the interval replaced
  IntervalScore alone;         // of classifiers trained on the interval
  double loss_rise = 0;        // of `without` over the whole spectrum
  double loss_rise_error = 0;  // its standard error over regions
};

struct ClassImportance {
  Index samples = 0;                    // that were scored by classifiers that know their class
  Index groups = 0;                     // that they lie in: standard errors from less than five mean little
  IntervalScore whole;                  // with all bands
  std::vector<IntervalEffect> effects;  // by interval; without samples everything is 0
};

struct IntervalImportance {
  std::vector<Indices> intervals;         // columns of the spectra
  ClassImportance all;                    // of the samples of all classes
  std::vector<ClassImportance> by_class;  // K
};

// The part e of the mean variance of the bands that is added to the variances in conditional means.
inline constexpr double kConditionalRidge = 1e-4;

// Fills in the columns `replaced` of `spectra` (m x d) from all others, by the mean and the covariance of `training`
// (n x d).
Matrix replace_by_others(const Matrix& spectra, const Matrix& training, const Indices& replaced);

// Trains the classifiers of every fold, with all bands and with each interval, and scores what it holds out.
// `softmax_slope` is a. The result does not depend on the number of threads.
IntervalImportance interval_importance(const LabelledSpectra& samples, const std::vector<FoldRows>& folds,
                                       const ClassifierDesign& design, const std::vector<Indices>& intervals,
                                       double softmax_slope, const LeftOutOptions& options);

}  // namespace parsimap
