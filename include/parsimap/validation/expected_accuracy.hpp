// How right a map is expected to be, from samples that were left out of training: overall and average accuracy, the
// true shares of the classes, and the accuracy by distance to the nearest label.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/validation/left_out_risk.hpp"

namespace parsimap {

// docs/method.md ("Expected accuracy of a map") has the formulas. Let C_d have the left-out confusion at the distance
// d, with a row for each reference class, divided by its sum, and w_d the share of the map at this distance. Then C =
// sum_d w_d C_d is the confusion of the map, its shares are s = C' pi, from which the true shares pi follow, and its
// accuracy is sum_c pi_c C_cc. This supposes that spectra of a class are alike at left-out samples and at pixels of the
// map at the same distance, and that the map has no class that the samples do not have.

// One record for every sample and design.
struct LeftOutResults {
  Index classes = 0;
  std::vector<double> label_shares;  // of the classes in the training samples; they sum up to 1
  std::vector<LeftOutRecord> records = {};
  int main_design = 0;  // the one that matches the map; used alone where distances are not known
};

// Without records, of training samples of these labels.
LeftOutResults left_out_results(const std::vector<int>& labels, std::size_t classes);

// Pixels drawn from the map; empty without a map, which then is taken to have the shares of the labels and the
// distances of the main design.
struct MapDraw {
  std::vector<int> predicted = {};     // m
  std::vector<double> distances = {};  // m, in pixels, to the nearest sample; or empty
  std::vector<double> unlike = {};     // m, as of records; or empty
};

struct ExpectedAccuracyOptions {
  std::uint64_t seed = 0;
  int threads = 1;
  int replicates = 999;
};

// What a figure rests on.
struct Support {
  std::int64_t pixels = 0;  // different samples
  std::int64_t units = 0;   // that the bootstrap draws
  bool operator==(const Support&) const = default;
};

struct DistanceAccuracy {
  double nearest = 0;   // distances, in pixels, above this one
  double farthest = 0;  // and up to this one; the last of the list is the farthest that was measured
  double distance = 0;  // median of the records
  std::optional<double> accuracy = {};
  std::optional<Interval> interval = {};
  Support support = {};
  std::optional<double> map_share = {};  // of all of the map; unset without distances of the map
};

// Of the part of the map within the area of applicability: its pixels are not more unlike their class than
// kLargestUnlikeness.
struct AccuracyInside {
  std::optional<double> accuracy;
  std::optional<Interval> interval;
  Support support;
  double map_share = 0;
  bool average_first = false;  // as below
};

// Why the true shares of the classes, and with them the overall accuracy, may be known badly.
enum class SharesProblem {
  none,
  overlap,          // classes are confused so much that C can hardly be inverted
  never_predicted,  // a class is assigned to no left-out sample
  untested_class    // a class with a share of labels or map has no left-out sample: it is taken to be absent
};

// "none", "overlap", "never-predicted", "untested-class" and back; another text is a ConfigError that lists them.
SharesProblem parse_shares_problem(const std::string& text);
std::string to_string(SharesProblem problem);

struct ExpectedClass {
  std::optional<double> share;  // pi_c; unset without a left-out sample
  std::optional<double> found;  // C_cc, the producer's accuracy at the distances of the map
  Support support;
};

struct ExpectedAccuracy {
  std::optional<double> overall;  // unset with fewer than two classes that have left-out samples
  std::optional<Interval> overall_interval;
  std::optional<double> average;  // of the classes that have left-out samples
  std::optional<Interval> average_interval;
  std::vector<ExpectedClass> classes;
  std::optional<double> condition;  // of C among classes with left-out samples; unset where C is singular
  SharesProblem problem = SharesProblem::none;
  std::vector<int> problem_classes;  // the two most alike for overlap; otherwise those that the problem is about
  // The overall accuracy rests on shares that are hardly known: its interval is wide, and the average stands first.
  bool average_first = false;
  Support support;
  std::vector<DistanceAccuracy> by_distance;  // from near to far, accuracy does not rise; empty without distances
  std::optional<double> not_measured;         // share of the map beyond the farthest distance
  std::optional<AccuracyInside> inside = {};  // unset where it is not known how unlike their class pixels are
};

// C is called hard to invert where its condition number is larger than this.
inline constexpr double kLargestCondition = 10;

// About 5 % of the pixels of a class are more unlike it.
inline constexpr double kLargestUnlikeness = 0.95;

// Depends on nothing but the results, the draw, the seed and the number of replicates; not on the order of records.
// DataError: another number of shares than classes, lists of the map of different lengths, or indices outside of the
// classes.
ExpectedAccuracy expected_accuracy(const LeftOutResults& results, const MapDraw& map,
                                   const ExpectedAccuracyOptions& options = {});

}  // namespace parsimap
