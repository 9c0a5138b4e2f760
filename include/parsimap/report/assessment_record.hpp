// What `assess` found, as plain values: filled by the command, rendered as text and CSV (report) or JSON (io/json).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/accuracy/area_estimate.hpp"
#include "parsimap/accuracy/confusion_matrix.hpp"
#include "parsimap/accuracy/paired_test.hpp"

namespace parsimap {

// Estimates for all of the map, from a reference that is a probability sample of it.
struct AreaRecord {
  std::string design;                 // "simple" or "stratified"
  std::optional<std::string> strata;  // raster of the strata; unset: the map's classes
  AreaEstimate estimate;
  std::optional<double> pixel_area;        // square metres; unset where the grid does not tell
  std::int64_t unclassified_pixels = 0;    // of the map: no part of the population
  std::int64_t pixels_outside_strata = 0;  // classified: no part of the population
  std::vector<std::string> merged_strata;  // names of strata that a simple sample is too small to keep apart
};

// A second map against the same reference, at the pixels that both maps classify.
struct MapComparisonRecord {
  std::string map;
  PairedCounts counts;
  std::int64_t unclassified_pixels = 0;  // reference pixels that one of the maps leaves unclassified
  McNemarTest test;
  std::optional<Interval> difference;   // of the overall accuracies, first less second
  std::optional<std::int64_t> regions;  // drawn as wholes by the bootstrap; unset: pixels
};

struct AssessmentRecord {
  std::string map;
  std::string reference;
  ConfusionMatrix confusion;
  AccuracyIntervals intervals;
  std::int64_t unclassified_pixels = 0;  // reference pixels the map leaves unclassified; not in the matrix
  std::int64_t conflicting_pixels = 0;   // claimed by two reference classes, dropped
  std::optional<AreaRecord> areas = {};
  std::optional<MapComparisonRecord> comparison = {};
  std::vector<std::string> files = {};  // written
  double seconds = 0;
};

}  // namespace parsimap
