// Which samples are used: random draws, and folds that are trained on and tested on in turn. All random draws of
// samples are here.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// How many labelled pixels of every class are drawn, by the six strategies of Orfeo ToolBox's SampleSelection, and
// which.

enum class SamplingStrategy {
  all,       // every pixel
  constant,  // N of every class
  smallest,  // of every class as many as the smallest class has
  percent,   // P percent of every class
  total,     // N altogether, in proportion to the class sizes
  by_class   // what a table says for every class
};

struct SamplingRule {
  SamplingStrategy strategy = SamplingStrategy::all;
  double number = 0;  // N or P
  std::string file;   // of by_class
};

// "all", "constant:N", "smallest", "percent:P", "total:N", "byclass:FILE"; anything else is a ConfigError that states
// the form or the range that is broken: N is 1 or more, 0 < P <= 100.
SamplingRule parse_sampling_rule(const std::string& text);

// A class that is trained keeps this many samples at least, where it has them.
inline constexpr Index kLeastSamples = 1;

// The number of samples of every class, at most its size and at least min(kLeastSamples, size). Percent is rounded;
// the counts of total add up to N where these bounds allow (largest remainders first, then the first class).
// `table` is that of by_class, one count per class.
std::vector<Index> sample_counts(const SamplingRule& rule, const std::vector<Index>& sizes,
                                 const std::vector<Index>& table);

// The rows of every class in [0, classes), ascending.
std::vector<Indices> rows_by_class(const std::vector<int>& labels, std::size_t classes);

// The number of samples of every class in [0, classes) among `rows`.
std::vector<Index> counts_by_class(const std::vector<int>& labels, const Indices& rows, std::size_t classes);

// Random subsets that respect the classes: every draw of the program is one of these.
//
// Up to counts[c] samples of every class c (all of a smaller one), drawn without replacement; ascending indices.
// The draw of one class does not depend on the samples of the others. `labels` holds class indices below counts.size().
Indices draw_counts(const std::vector<int>& labels, const std::vector<Index>& counts, std::uint64_t seed);

// The same with `per_class` samples of every class in [0, classes).
Indices draw_per_class(const std::vector<int>& labels, std::size_t classes, Index per_class, std::uint64_t seed);

// About `most` samples, as many of one class as of another, or all that it has; of each at least min(`least`, class
// size). All samples where there are no more than `most`.
Indices draw_evenly(const std::vector<int>& labels, std::size_t classes, Index most, Index least, std::uint64_t seed);

// About `total` samples in proportion to the class sizes, with at least min(`least`, class size) of every class.
Indices draw_stratified(const std::vector<int>& labels, std::size_t classes, Index total, Index least,
                        std::uint64_t seed);

// The folds of a validation: which samples are trained on, and which are tested on.
//
// Samples of one group (a polygon, a plot) stay together. Groups are shared out class by class as evenly as they allow:
// in random order from large to small, each to the fold that has the least of its classes,
//   argmin_f sum_c g_c n_fc / N_c^2,
// g_c and n_fc the numbers of samples of class c in the group and in the fold so far, N_c in all (the step that keeps
// sum_fc (n_fc / N_c)^2 smallest); of equals to the fold with the fewest samples. So a class of m groups is tested in
// min(m, folds) folds, if the groups have one class each.

// What stays together in a fold: regions, single pixels, what a field of the labels puts together, or units that were
// matched to the map (UnitDesign).
struct Grouping {
  enum class Unit { regions, pixels, field, matched };
  Unit unit = Unit::regions;
  std::string field{};  // of Unit::field; of Unit::matched the name of the units
  bool operator==(const Grouping&) const = default;
};

// "regions", "pixels", "field NAME", or the name of matched units.
std::string to_string(const Grouping& grouping);

struct FoldDesign {
  Index folds = 5;    // >= 2
  Index repeats = 1;  // >= 1, each with groups shared out anew
  double buffer = 0;  // training samples nearer than this to a test sample are left out; in units of the positions
  std::uint64_t seed = 0;
  Grouping grouping = {};
  std::string buffer_unit = "pixels";  // "m" or "pixels"
};

// Rows of samples, ascending: those that are trained on, and those that are tested. They need not be all samples.
struct FoldRows {
  Indices train;
  Indices test;
};

struct Fold : FoldRows {
  Index repeat = 0;
  Index number = 0;            // in its repeat, from 0
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

// The samples of one fold to test, and all others to train on.
FoldRows rows_of_fold(const std::vector<Index>& fold_of, Index fold);

// Those of `candidates` that are at least `distance` away from every one of `tested`. Rows of `positions`: n x 2.
Indices outside_buffer(const Matrix& positions, const Indices& candidates, const Indices& tested, double distance);

// `positions` (n x 2) may be empty without a buffer.
// DataError: fewer groups than folds, or no fold in which two classes can be trained and one of them tested.
FoldPlan plan_folds(const std::vector<int>& labels, std::size_t classes, const std::vector<std::int64_t>& groups,
                    const Matrix& positions, const FoldDesign& design);

// What is left out together, so that left-out samples lie as far from those that are trained on as pixels of the map
// do from labels: accuracies, and all that is chosen by them, are then those of the map. In the spirit of the nearest
// neighbour distance matching of Linnenbrink and others (2024).
//
// Candidates are single pixels, blocks of 2, 3, 4, 6, 8, 11, ... pixels and the groups of the samples (regions, or
// those of a field). For each, units are shared out to folds, and the distances from left-out samples to the nearest
// sample of another fold are compared with those from pixels of the map to the nearest sample: by the mean absolute
// difference of 201 quantiles of log(1 + distance in pixels). The candidate of the smallest difference is taken, the
// larger unit in a tie, and groups also where their difference is larger by up to 0.1; none of fewer than ten units
// where there is another.
struct UnitDesign {
  std::string unit;  // "pixel", "block of 8 x 8 pixels", or the name of the groups; "scene" where whole scenes were
                     // asked for, without distances
  double difference = 0;                     // of the quantiles
  Index count = 0;                           // different units
  std::vector<std::string> cut = {};         // classes of fewer than two units, which are cut into smaller blocks
  bool metres = false;                       // distances; otherwise pixels
  std::vector<double> map_distances = {};    // 11 quantiles, 0 .. 100 %, from pixels of the map to the nearest sample
  std::vector<double> label_distances = {};  // from samples to the nearest other one
  std::vector<double> fold_distances = {};   // from left-out samples to the nearest one that stays

  // Whether typical distances agree by a factor of two.
  [[nodiscard]] bool matches() const { return difference < 0.69; }
};

// Where samples (n) and pixels of the map (m, at least one, of which up to 10 000 are used) lie, n x 2 and m x 2, on
// one plane.
struct SamplePositions {
  const Matrix& samples;
  const Matrix& map;
  double pixel = 1;  // how wide a pixel is
  bool metres = false;
};

struct MatchedUnits {
  UnitDesign design;
  std::vector<std::int64_t> units;  // n, numbered from 0 in the order of their positions
};

// The units of samples that have labels (n, indices of `classes`, the names) and groups (n). They depend on nothing but
// these, the positions, which samples share a group, and the seed. `group_name` is what a group is called, as in
// "region".
MatchedUnits match_units(const std::vector<int>& labels, const std::vector<std::string>& classes,
                         const std::vector<std::int64_t>& groups, const std::string& group_name,
                         const SamplePositions& positions, std::uint64_t seed);

}  // namespace parsimap
