// The folds of a validation: which samples are trained on, and which are tested on.
//
// Samples of one group (a polygon, a plot) stay together. Groups are shared out class by class as evenly as they allow:
// in random order from large to small, each to the fold that has the least of its classes,
//   argmin_f sum_c g_c n_fc / N_c^2,
// g_c and n_fc the numbers of samples of class c in the group and in the fold so far, N_c in all (the step that keeps
// sum_fc (n_fc / N_c)^2 smallest); of equals to the fold with the fewest samples. So a class of m groups is tested in
// min(m, folds) folds, if the groups have one class each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct FoldDesign {
  Index folds = 5;    // >= 2
  Index repeats = 1;  // >= 1, each with groups shared out anew
  double buffer = 0;  // training samples nearer than this to a test sample are left out; in units of the positions
  std::uint64_t seed = 0;
  std::string grouping = "regions";    // what a group is, for reports: "regions", "pixels" or "field NAME"
  std::string buffer_unit = "pixels";  // "m" or "pixels"
};

struct Fold {
  Index repeat = 0;
  Index number = 0;            // in its repeat, from 0
  Indices train;               // ascending
  Indices test;                // ascending
  Index buffered = 0;          // samples left out of training for the buffer
  Index untested = 0;          // samples left out of the test: of classes that are not trained
  std::vector<int> untrained;  // classes, for they have no training sample here
};

struct FoldPlan {
  FoldDesign design;
  Index groups = 0;
  std::vector<Index> class_groups;  // by class: the number of groups that hold it
  std::vector<Fold> folds;          // by repeat, then number; without those that leave nothing to train or to test
};

// The fold, in [0, folds), of every sample. `labels` are class indices in [0, classes), `groups` any numbers.
std::vector<Index> assign_folds(const std::vector<int>& labels, std::size_t classes,
                                const std::vector<std::int64_t>& groups, Index folds, std::uint64_t seed,
                                std::uint64_t repeat);

// The same for single samples, the folds of stratified cross-validation: the samples of a class are dealt out in random
// order, each class beginning where the one before it ended, so that folds differ by at most one sample, in each class
// and in all.
std::vector<Index> stratified_folds(const std::vector<int>& labels, std::size_t classes, Index folds,
                                    std::uint64_t seed);

// The positions of the samples in one fold and of those in all others, ascending.
struct FoldRows {
  Indices held_out;
  Indices others;
};
FoldRows rows_of_fold(const std::vector<Index>& fold_of, Index fold);

// Those of `candidates` that are at least `distance` away from every one of `tested`. Rows of `positions`: n x 2.
Indices outside_buffer(const Matrix& positions, const Indices& candidates, const Indices& tested, double distance);

// `positions` (n x 2) may be empty without a buffer.
// DataError: fewer groups than folds, or no fold in which two classes can be trained and one of them tested.
FoldPlan plan_folds(const std::vector<int>& labels, std::size_t classes, const std::vector<std::int64_t>& groups,
                    const Matrix& positions, const FoldDesign& design);

// Folds of samples that lie apart: each class is cut into compact parts of the scene, and what lies near a part that is
// tested is not trained on.
//
// What is learnt of a pixel's surroundings is shared by pixels that lie near each other, so neither single pixels nor
// polygons side by side can judge it. The groups of a class (polygons, plots) are cut by their centres into five parts
// of about as many samples: along the axis on which they are spread farthest, into two, those again, and so on. A class
// in fewer than five groups is cut through them, pixel by pixel. Fold f tests part f of every class, and trains on the
// samples of the other parts that are at least the buffer away from any sample that it tests.

struct SpatialFold {
  Indices train;  // ascending
  Indices test;   // ascending; of classes that have kept enough samples to train on
};

struct SpatialFolds {
  double buffer = 0;
  std::vector<std::int64_t> units = {};  // n: the part of its class that a sample is in, for standard errors
  std::vector<SpatialFold> folds = {};   // those that can train two classes and test a sample
  Index tested = 0;                      // samples in all folds
};

inline constexpr Index kSpatialFolds = 5;

// The part, in [0, kSpatialFolds), of every sample. `labels` are class indices in [0, classes); samples of equal
// `groups` stay together, with the class that most of them have, where that class has five groups at least. Rows of
// `positions`: n x 2.
std::vector<Index> spatial_parts(const std::vector<int>& labels, std::size_t classes,
                                 const std::vector<std::int64_t>& groups, const Matrix& positions);

// The folds with the largest of `buffers` (descending, in units of the positions) at which two thirds of the samples
// can be tested: a sample is, if its class keeps a third of its other samples to train on, and two at least. None
// where no buffer allows that: then the samples lie too near to each other, or are too few.
std::optional<SpatialFolds> plan_spatial_folds(const std::vector<int>& labels, std::size_t classes,
                                               const std::vector<std::int64_t>& groups, const Matrix& positions,
                                               const std::vector<double>& buffers);

}  // namespace parsimap
