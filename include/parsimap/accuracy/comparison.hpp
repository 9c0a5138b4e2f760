// Maps compared with a reference: classes matched, two maps tested against the same pixels, probabilities checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Which row and column of the confusion matrix a class has: the map's classes in their order, then the reference
// classes that have pixels and are not in the map, in theirs.
struct ClassMatch {
  std::vector<std::string> names;  // unique: the classes of the map in its order, then those of the reference alone
  Indices row;                     // by index into the reference's class table; -1 without pixels and not in the map
  std::vector<std::string> reference_only;  // names of the classes that the map does not have
  bool by_name = false;
  std::vector<std::optional<int>> codes = {};  // in the map, of `names`; unset for classes that it does not have

  [[nodiscard]] Index row_of(const LabelledPixel& pixel) const { return row[static_cast<std::size_t>(pixel.label)]; }
};

// Classes are the same as pair_classes() says. `reference_name` is for messages. DataError, which lists the classes of
// both: texts and a map without names; fewer than half of the classes with pixels are classes of the map; codes
// decide although the reference has the names of the map's classes in another field, with other codes.
ClassMatch match_classes(const ClassMapSource& map, const LabelledPixels& reference, const std::string& reference_name);

struct Comparison {
  ClassMatch match;
  ConfusionMatrix confusion;
  Indices columns;                // of the confusion matrix, for every reference pixel; -1 where the map is 0
  std::int64_t unclassified = 0;  // reference pixels where the map is 0, which are not in the matrix
};

// DataError as match_classes(), and when the map is 0 at all reference pixels.
Comparison compare(ClassMapSource& map, const LabelledPixels& reference, const std::string& reference_name);

// What a reference has in common with the pixels that the model of the map was trained on.
struct TrainingOverlap {
  std::string model;                          // the file that was asked; empty without
  std::string unknown = {};                   // why nothing is known; empty where it is
  std::int64_t pixels = 0;                    // compared pixels that are training pixels
  std::optional<std::int64_t> regions = {};   // of the reference, with such a pixel; unset without regions
  std::int64_t other_pixels = 0;              // compared, outside of these regions, or not training pixels themselves
  std::optional<double> other_accuracy = {};  // overall accuracy of the other pixels
};

// `training` are pixels of the map's grid, ascending. Fills in the numbers.
void count_overlap(const Comparison& comparison, const LabelledPixels& reference,
                   const std::vector<std::int64_t>& training, TrainingOverlap& overlap);

// From whole groups of the reference, its features where it has no groups, or independent pixels where it has neither.
// `reference` is that of the comparison.
AccuracyIntervals comparison_intervals(const Comparison& comparison, const LabelledPixels& reference);

// The codes of `map` at the pixels (ascending), in their order. Of every window it reads what holds the pixels.
std::vector<std::uint16_t> codes_at(ClassMapSource& map, const std::vector<LabelledPixel>& pixels);

// Two maps compared with the same reference: are they right equally often? McNemar's test answers for independent
// pixels, of which only those say anything where one map alone is right; the bootstrap answers for whole regions.

struct PairedCounts {
  std::int64_t both_right = 0;
  std::int64_t first_only = 0;   // right in the first map alone
  std::int64_t second_only = 0;  // right in the second map alone
  std::int64_t both_wrong = 0;

  [[nodiscard]] std::int64_t pixels() const { return both_right + first_only + second_only + both_wrong; }
  [[nodiscard]] std::int64_t discordant() const { return first_only + second_only; }
};

struct McNemarTest {
  bool exact = false;
  double statistic = 0;  // chi-square, one degree of freedom; 0 when exact
  double p_value = 1;    // two-sided
};

// Fewer than 25 discordant pixels: exact, the binomial distribution of first_only in b + c trials at 1/2. Otherwise the
// chi-square distribution of (|b - c| - 1)^2 / (b + c), with Edwards' continuity correction.
McNemarTest mcnemar_test(const PairedCounts& counts);

// What the bootstrap draws (Efron and Tibshirani, An Introduction to the Bootstrap): a polygon of the reference, since
// pixels of one polygon are not independent, or a pixel.
struct RegionDifference {
  std::int64_t pixels = 0;      // at least 1
  std::int64_t difference = 0;  // pixels right in the first map less pixels right in the second
};

inline constexpr int kBootstrapReplicates = 1999;

// The interval of sum(difference) / sum(pixels) over draws of as many regions, with replacement, in [-1, 1]: its
// percentiles, moved away from the estimate for few regions (Hesterberg, What teachers should know about the bootstrap,
// 2015). `regions` is not empty; its order does not matter.
// Nothing where regions do not differ, which is not certainty.
std::optional<Interval> bootstrap_difference(const std::vector<RegionDifference>& regions, std::uint64_t seed);

// By reference pixel, which of the maps is right; nothing where one of them leaves it unclassified.
struct RightOfPair {
  bool first = false;
  bool second = false;
};

// The difference of the overall accuracies, first less second, by the inclusion probabilities of a drawn sample.
struct SampledDifference {
  double value = 0;
  double standard_error = 0;
  Interval interval;                     // for the size of the sample
  std::optional<Interval> growing = {};  // holds at every size of the sample (sequential_interval.hpp)
  double differing_share = 0;            // of the pixels that both maps classify
  std::int64_t labelled = 0;             // points, of `planned`
  std::int64_t planned = 0;
  std::optional<std::int64_t> points = {};  // that the aim, if there is one, is expected to need
};

// A second map compared with the same reference, at the pixels that both maps classify.
struct MapComparison {
  std::string map;  // the second
  PairedCounts counts;
  std::int64_t unclassified_pixels = 0;  // reference pixels that one of the maps leaves unclassified
  McNemarTest test;
  std::optional<Interval> difference;             // of the overall accuracies, first less second
  std::optional<std::int64_t> regions;            // drawn as wholes by the bootstrap; unset: pixels
  std::optional<SampledDifference> sampled = {};  // of a drawn sample, whose interval is then `difference`
};

// DataError: the second map cannot be matched with the reference.
std::vector<std::optional<RightOfPair>> right_of_pairs(const Comparison& comparison, ClassMapSource& second,
                                                       const LabelledPixels& reference,
                                                       const std::string& reference_name);

// `comparison` is that of the first map, on whose grid the second lies. The bootstrap draws whole features where the
// reference has them. `right` is right_of_pairs(). DataError: there is no reference pixel that both classify.
MapComparison compare_maps(const ClassMapSource& first, const ClassMapSource& second, const LabelledPixels& reference,
                           const std::vector<std::optional<RightOfPair>>& right);

// What the class probabilities of a map are worth at the reference pixels.

// Called with the position of a reference pixel and its probabilities, one for each band; they are empty where a band
// has no value.
using ProbabilityVisitor = std::function<void(std::size_t, const std::vector<double>&)>;

// Visits all reference pixels in their order. `probabilities` lie on the grid of the reference. What is held in memory
// does not grow with the number of pixels. Throws IoError.
void visit_probabilities(SceneSource& probabilities, const LabelledPixels& reference, const Progress& progress,
                         const ProbabilityVisitor& visit);

// `probabilities` have a band for each class of the map, named like it, as `classify --probabilities` writes them. A
// pixel counts as right where the class of its largest probability is that of the reference, whatever the map says
// there; pixels without probabilities are left out. DataError when no band has the name of a class.
Reliability assess_probabilities(SceneSource& probabilities, const LabelledPixels& reference, const ClassMatch& match,
                                 const Progress& progress);

}  // namespace parsimap
