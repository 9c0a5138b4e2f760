// How well decision values of left-out samples separate all classes.
//
// The risk of a sample is -log softmax(a f)_label, at the slope a with the lowest mean of it, plus 1 where the largest
// decision value is not that of its label. The logarithm alone prefers classifiers that are too smooth where classes
// overlap: their probabilities are calibrated best, but they classify fewer samples correctly than others with nearly
// the same logarithmic loss. The number of errors alone is discontinuous and has ties.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_place.hpp"

namespace parsimap {

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

// The class that sample i of this label is taken for; none where its own class was not trained in its fold, about which
// no classifier could be right.
std::optional<int> taken_for(const Matrix& scores, int label, Index i);

// A sample that was left out, by one of the designs of what is left out together (such as pixels, or blocks of a size).
// Numbers that are not known are NaN.
struct LeftOutRecord {
  int label = 0;         // its class, in [0, K)
  int predicted = 0;     // by classifiers trained without the unit
  SampleUnit unit = {};  // of the design, left out as a whole
  Index sample = 0;      // the row among the training samples
  int design = 0;
  double distance = std::numeric_limits<double>::quiet_NaN();  // in pixels, to the nearest sample that stayed
  double unlike = std::numeric_limits<double>::quiet_NaN();    // how unlike the predicted class, in [0, 1]
  Index fold = 0;                                              // equal for samples that were left out at the same time
};

// What samples of these rows, units and folds (n each) are taken for at their scores (n x K): the class of the largest.
// Those whose own class was not trained are left out.
std::vector<LeftOutRecord> left_out_records(const Matrix& scores, const std::vector<int>& labels, const Indices& rows,
                                            const std::vector<SampleUnit>& units, const std::vector<Index>& folds);

// 1 for samples whose largest score is that of their class, 0 for others and for those that do not count.
Vector left_out_correct(const Matrix& scores, const std::vector<int>& labels);

// The errors alone, of samples that may have other weights.
double left_out_errors(const Matrix& scores, const std::vector<int>& labels, const Vector& weights);

// The logarithmic losses -log softmax(slope f)_label; 0 for samples that do not count.
Vector left_out_losses(const Matrix& scores, const std::vector<int>& labels, double slope);

// How often samples of one class (row) have their largest score in another (column), K x K, of the samples that count.
CountMatrix left_out_confusion(const Matrix& scores, const std::vector<int>& labels);

// How sure a mean over samples is that are not independent of each other.

// The standard error of the weighted mean of differences, `difference` being weight times difference of each sample:
//   sqrt( U/(U-1) sum_units ( sum_{i in unit} s_i (delta_i - delta) )^2 ) / sum_i s_i.
// It is over units, since the pixels of one region are not independent of each other. 0 for a single unit.
double standard_error(const Vector& difference, const Vector& weights, const std::vector<SampleUnit>& units);

// A gain of less than this in the risk is not worth another metric or a slower map.
inline constexpr double kLeastGain = 0.002;

// Whether no other candidate can gain enough, since a risk is never below 0.
inline bool nothing_to_gain(const LeftOutRisk& risk) { return risk.mean < kLeastGain; }

}  // namespace parsimap
