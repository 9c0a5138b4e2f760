// What left-out classifiers say: which labels they speak against, and how far apart the classes lie.
//
// Regions and pixels are listed by how much speaks against their labels, the most suspicious first. The margin of a
// label y is f_y - max over c != y of f_c, with the decision values f of classifiers that have seen neither the pixel
// nor its region; of a region they are medians over its pixels. Where no classifier knows class y, f_y is taken as 0.
// Ranks follow the margins, without regard to the class (docs/inspection.md compares with calibrated ones).
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/hdda/subspace_model.hpp"

namespace parsimap {

// The labels of pixels, and the decision values of classifiers that were trained without them.
struct LeftOutLabels {
  const Matrix& decisions;                   // n x K, -infinity for a class that no classifier knows there
  const std::vector<int>& labels;            // n, in [0, K)
  const std::vector<std::int64_t>& regions;  // n
  double softmax_slope = 1;                  // a of the probabilities softmax(a f)
};

struct LabelEvidence {
  int label = 0;
  int likely = 0;                 // the class of the largest evidence
  double margin = 0;              // < 0 where that is not the label
  double label_probability = 0;   // softmax(a f) of the label
  double likely_probability = 0;  // and of the likely class
  bool label_known = true;        // whether a classifier knew the class of the label
  Index rank = 0;                 // from 1, the smallest margin first; of equals the first in the order of the samples
};

struct RegionEvidence {
  std::int64_t region = 0;
  Indices pixels;  // rows of the samples, ascending
  LabelEvidence evidence;
  Index against = 0;  // pixels whose own margin is negative
};

struct LabelInspection {
  std::vector<RegionEvidence> regions;  // by rank
  std::vector<LabelEvidence> pixels;    // n, in the order of the samples
  CountMatrix confusion;                // K x K: rows are labels, columns are likely classes; pixels of known labels
};

LabelInspection inspect_labels(const LeftOutLabels& labels);

// How far apart the classes lie, two by two.
//
// Each class is a normal distribution with the covariance of its blended model (hdda/subspace_model.hpp, rho = 0.5), so
// that classes of few samples have one too: S = Q diag(a) Q' + b (I - Q Q'). With M = (S_1 + S_2) / 2 and the
// difference of the means z the Bhattacharyya distance is
//   B = 1/8 z' M^-1 z + 1/2 log(det M / sqrt(det S_1 det S_2)),
// and the Jeffries-Matusita distance 2 (1 - exp(-B)), from 0 (the same) to 2 (apart), as remote sensing counts it.

struct ClassPair {
  int first = 0;  // < second
  int second = 0;
  double bhattacharyya = 0;
  double jeffries_matusita = 0;
};

// All pairs of classes that have samples, in the order of the classes. `spectra` n x d, scaled; `labels` n class
// indices in [0, classes). Threads share the pairs; the result does not depend on their number.
std::vector<ClassPair> class_separability(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes,
                                          const DimensionRule& dimension, int threads);

}  // namespace parsimap
