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
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_place.hpp"

namespace parsimap {

// Folds that samples are shared out to, unit by unit, where nothing else is asked for.
inline constexpr Index kFolds = 5;

struct FoldDesign {
  Index folds = kFolds;  // >= 2
  Index repeats = 1;     // >= 1, each with groups shared out anew
  double buffer = 0;     // training samples nearer than this to a test sample are left out; in units of the positions
  std::uint64_t seed = 0;
  // What stays together in a fold: "regions", "pixels", "field NAME" of the labels, or the name of the units that were
  // matched to the map (UnitDesign); empty where these are wanted and not known yet.
  std::string grouping = "regions";
  std::string buffer_unit = "pixels";  // "m" or "pixels"
  bool single = false;                 // the grouping is by single pixels
};

// Rows of samples, ascending: those that are trained on, and those that are tested. They need not be all samples.
struct FoldRows {
  Indices train;
  Indices test;
};

struct Fold : FoldRows {
  Index repeat = 0;
  Index number = 0;                 // in its repeat, from 0
  Index buffered = 0;               // samples left out of training for the buffer
  Index untested = 0;               // samples left out of the test: of classes that are not trained
  std::vector<int> untrained = {};  // classes, for they have no training sample here
};

struct FoldPlan {
  FoldDesign design;
  Index groups = 0;
  std::vector<Index> class_groups;  // by class: the number of groups that hold it
  std::vector<Fold> folds;          // by repeat, then number; without those that leave nothing to train or to test
};

// The place of each of some values among the `count` different ones, in their order.
struct Ranks {
  Indices places;
  Index count;
};
template <typename Value>
Ranks ranks(const std::vector<Value>& values) {
  const std::vector<Value> different = distinct(values);
  const auto place = [&](const Value& value) { return std::ranges::lower_bound(different, value) - different.begin(); };
  return {mapped<Index>(values, place), std::ssize(different)};
}

// The fold, in [0, folds), of every sample. `labels` are class indices in [0, classes).
std::vector<Index> assign_folds(const std::vector<int>& labels, std::size_t classes,
                                const std::vector<SampleUnit>& units, Index folds, std::uint64_t seed,
                                std::uint64_t repeat);

// The samples of one fold to test, and all others to train on.
FoldRows rows_of_fold(const std::vector<Index>& fold_of, Index fold);

// The other way round, the number of the fold that tests each of n samples; 0 for those that none tests.
std::vector<Index> fold_of_rows(const std::vector<FoldRows>& folds, Index n);

// Those of `candidates` that are at least `distance` away from every one of `tested`. Rows of `positions`: n x 2.
Indices outside_buffer(const Matrix& positions, const Indices& candidates, const Indices& tested, double distance);

// `positions` (n x 2) may be empty without a buffer.
// DataError: fewer groups than folds, or no fold in which two classes can be trained and one of them tested.
FoldPlan plan_folds(const std::vector<int>& labels, std::size_t classes, const std::vector<SampleUnit>& units,
                    const Matrix& positions, const FoldDesign& design);

}  // namespace parsimap
