// The assessment of a map: accuracy and areas estimated from a sample of its pixels, and all that is known of it
// together.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/accuracy/change_map.hpp"
#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/accuracy/sample_plan.hpp"

namespace parsimap {

// Accuracy and areas of a population of pixels, estimated from a stratified random sample of it.
//
// Strata are the classes of the map (Olofsson et al., 2014) or others (Stehman, 2014); docs/method.md ("Accuracy and
// areas") has the estimators.
//
// One unit alone shows no variance: its stratum counts with the largest that values spread over [0, 1] can have, 1/4.

using CountVector = Eigen::Matrix<std::int64_t, Eigen::Dynamic, 1>;

// Pixels that were drawn in one block, of a sample in two stages.
struct SampleCluster {
  CountMatrix units;       // as those of a stratum
  std::int64_t drawn = 0;  // with those that the map leaves unclassified
};

struct Stratum {
  std::string name;
  CountVector map_pixels;  // K: pixels of the population in this stratum, by class of the map
  CountMatrix units;       // K x K: sample units in this stratum; rows are reference, columns are map
  std::optional<std::int64_t> population = {};  // pixels, where map_pixels does not say how many
  // Units that the map leaves unclassified: what is estimated are then shares of the pixels that it classifies.
  std::int64_t unclassified_units = 0;
  // Where the units come from blocks that were drawn independently, in proportion to their pixels.
  std::vector<SampleCluster> clusters = {};

  [[nodiscard]] std::int64_t pixels() const { return population.value_or(map_pixels.sum()); }
  [[nodiscard]] std::int64_t sample_size() const { return units.sum() + unclassified_units; }
};

struct Estimate {
  double value = 0;
  double standard_error = 0;
  // +- 1.96 standard errors, within [0, 1]. Nothing where the error is 0: units that all agree show no variance, which
  // is not certainty.
  std::optional<Interval> interval;
};

struct ClassEstimate {
  double mapped_share = 0;  // of the population, as the map has it
  Estimate share;           // of the population, as the reference has it
  std::optional<Estimate> producers_accuracy;
  std::optional<Estimate> users_accuracy;
};

struct AreaEstimate {
  std::int64_t pixels = 0;  // N
  Matrix shares;            // K x K estimated shares of the population: rows are reference, columns are map
  Estimate overall_accuracy;
  Disagreement disagreement;
  std::vector<ClassEstimate> classes;
  std::vector<std::string> single_unit_strata;
};

// The interval of a ratio of y and x, which are 0 or 1 for each cell of the confusion matrix; `of_all`: it is a share
// of all pixels.
using IntervalOf = std::function<Interval(const Estimate& estimate, const Matrix& y, const Matrix& x, bool of_all)>;

// Strata without pixels are left out. Intervals are those of Estimate, or of `interval`. DataError: a stratum with
// pixels and without a unit, or no pixels at all.
AreaEstimate estimate_areas(const std::vector<Stratum>& strata, bool finite_population,
                            const IntervalOf& interval = {});

// What a simple random sample needs to be evaluated as if it were stratified: strata of fewer than two units are made
// one, together with the next smaller ones if they have too few still. The order of the others is kept. DataError for
// fewer than two units in all.
std::vector<Stratum> merge_small_strata(std::vector<Stratum> strata);

// Areas of the classes of a map, from a reference that is a probability sample of it.

// How far a sample of `parsimap sample` has come.
struct AimProgress {
  std::string aim;                            // to_string() of it
  std::optional<double> standard_error = {};  // now; unset where the measure is not defined
  std::optional<std::int64_t> points = {};    // labelled points that the aim is expected to need
};

// Intervals that hold at every size of the sample at once (sequential_interval.hpp).
struct SequentialClass {
  std::optional<Interval> share;
  std::optional<Interval> users_accuracy;
};

struct SampleProgress {
  std::string file;
  std::int64_t planned = 0;   // points
  std::int64_t labelled = 0;  // of which the estimates are; whole clusters of a sample in two stages
  std::vector<AimProgress> aims = {};
  std::optional<Interval> overall_accuracy = {};
  std::vector<SequentialClass> classes = {};
};

struct AreaAssessment {
  SamplingDesign design = SamplingDesign::simple;
  std::optional<std::string> strata;  // raster of the strata; unset: the map's classes
  AreaEstimate estimate;
  std::optional<double> pixel_area;           // square metres; unset where the grid does not state it
  std::int64_t unclassified_pixels = 0;       // of the map: no part of the population
  std::int64_t pixels_outside_strata = 0;     // classified, but no part of the population
  std::vector<std::string> merged_strata;     // names of strata that a simple sample is too small to keep apart
  std::optional<SampleProgress> sample = {};  // of a sample that was planned
};

// The population are the pixels that the map classifies, and that have a stratum. `strata` lies on the map's grid; null
// stands for the map's classes. `comparison` is that of the map with `reference`. Reads all of the map and the strata,
// window by window. DataError: a sample unit without a stratum, and as estimate_areas().
AreaAssessment assess_areas(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison,
                            SamplingDesign design, ClassMapSource* strata, std::optional<double> pixel_area);

// The unit of areas: "ha", "m2" for less than one hectare in all, or "pixels" where the size of a pixel is not known.
struct AreaUnit {
  std::string name;
  double factor = 1;  // from a share of the population to an area
};
AreaUnit area_unit(const AreaAssessment& areas);

// Where a reference comes from, and what of it was used.
struct ReferenceFacts {
  std::vector<std::pair<std::string, std::string>> options = {};  // by which it was read, name and value
  std::string sha256 = {};                                        // of a plain file
  std::optional<std::int64_t> features = {};                      // of a vector file, with a pixel that was compared
  std::int64_t outside_features = 0;                              // without a pixel on the map
  std::string map_sha256 = {};                                    // of the map, where it is a plain file
};

// What the classes of an assessed map are, where they are changes since an earlier one.
struct AssessedChange {
  std::string earlier;                    // the map
  std::vector<ChangeClass> classes = {};  // the first classes of the matrix
};

// All that the comparison of a map with a reference has shown, as plain values.
struct Assessment {
  std::string map;
  std::string reference;
  ConfusionMatrix confusion;
  AccuracyIntervals intervals;
  std::int64_t unclassified_pixels = 0;  // reference pixels that the map leaves unclassified; not in the matrix
  std::int64_t conflicting_pixels = 0;   // claimed by two reference classes, dropped
  std::optional<AreaAssessment> areas = {};
  std::optional<MapComparison> comparison = {};  // with a second map
  std::optional<Reliability> reliability = {};   // of the map's probabilities
  ReferenceFacts facts = {};
  std::optional<AssessedChange> change = {};
  std::optional<TrainingOverlap> overlap = {};  // unset of drawn samples, and in documents of earlier versions
  // Of the classes of the matrix in the map, unset for classes that it does not have; none where they are not known.
  std::vector<std::optional<int>> codes = {};
};

}  // namespace parsimap
