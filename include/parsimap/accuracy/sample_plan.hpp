// The plan of a probability sample of a map: how many points each stratum needs for an aim.
//
// Aims are standard errors. Before the sample is drawn they follow from the accuracies that are expected (Cochran,
// Sampling Techniques, 1977, 5.25; Olofsson et al., Good practices for estimating area and assessing accuracy of land
// change, 2014, 5.1); docs/method.md ("The plan of a sample") has the formulas.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/window.hpp"

namespace parsimap {

// How reference pixels were chosen, which only who chose them can know.
enum class SamplingDesign {
  simple,      // at random from all pixels that the map classifies
  stratified,  // at random from each stratum
  systematic,  // on a grid of rows and columns with a random start
  clusters     // blocks with probabilities in proportion to their pixels, and pixels at random in each: two stages
};

// "simple", "stratified", "systematic" or "clusters".
std::string to_string(SamplingDesign design);
// ConfigError for any other text.
SamplingDesign parse_design(const std::string& text);

enum class AimKind { overall, users, area, difference };

// The largest standard error that a measure shall have. That of an area is a share of the whole area; the difference is
// that of the overall accuracies of two maps.
struct Aim {
  AimKind kind = AimKind::overall;
  std::string class_name = {};  // none for overall accuracies
  double standard_error = 0;
  bool operator==(const Aim&) const = default;
};

// "overall:0.01", "difference:0.01", "users:Corn:0.05", "area:Corn:0.005". A standard error lies above 0 and is at most
// 0.5: ConfigError.
Aim parse_aim(const std::string& text);
std::string to_string(const Aim& aim);
// Without the standard error: "overall accuracy", "difference of the overall accuracies", "user's accuracy of Corn",
// "share of Corn".
std::string measure_name(const Aim& aim);

// How points are divided among strata: by pixels, equally, or by pixels times the standard deviation that the aims
// depend on (Neyman): of several aims those count that decide on the size.
enum class Allocation { proportional, equal, neyman };
std::string to_string(Allocation allocation);
Allocation parse_allocation(const std::string& text);

struct PlanOptions {
  SamplingDesign design = SamplingDesign::stratified;
  std::vector<Aim> aims = {};
  std::optional<std::int64_t> size = {};  // points in all; unset: what the aims need
  Allocation allocation = Allocation::proportional;
  std::int64_t least = 50;                         // points of a stratum, or all of its pixels
  double expected = 0.85;                          // user's accuracy of a class
  std::map<std::string, double> expected_by = {};  // of single classes
  Index cluster_points = 5;                        // of a block, at most
  std::optional<double> correlation = {};          // of being right, within a block; unset: 0.3
  std::optional<Window> extent = {};               // that has all pixels: a grid has no wider steps
};

struct PlannedStratum {
  std::string name;
  std::int64_t pixels = 0;
  std::int64_t points = 0;
};

struct SamplePlan {
  SamplingDesign design = SamplingDesign::stratified;
  std::vector<PlannedStratum> strata;  // a single one, "all", unless stratified
  std::int64_t clusters = 0;           // blocks drawn, of a sample in two stages
  Index row_step = 1;                  // of a systematic sample: every so many rows and columns
  Index column_step = 1;
  std::vector<Aim> promised;  // of the overall accuracy, and of the two measures of every class; or the difference

  [[nodiscard]] std::int64_t pixels() const { return total(strata, &PlannedStratum::pixels); }
  [[nodiscard]] std::int64_t points() const { return total(strata, &PlannedStratum::points); }
};

// `pixels` has the pixels of every stratum (row) and class of the map (column). The smallest sample that meets all
// aims, or one of the size asked for. With the stratum kMapsDiffer the sample compares two maps: the first measure
// promised is their difference, and the others follow where one of them is an aim. ConfigError: such an aim without it,
// neither aim nor size, a class that the map does not have, fewer points than the least number in each stratum, more
// points than pixels.
SamplePlan plan_sample(const CountMatrix& pixels, const std::vector<std::string>& strata,
                       const std::vector<std::string>& classes, const PlanOptions& options);

}  // namespace parsimap
