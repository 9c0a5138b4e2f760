// What comes of holding a map against a reference, as plain values: rendered as text and CSV (report) or JSON
// (json).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parsimap/accuracy/reliability.hpp"
#include "parsimap/assessment/area_assessment.hpp"
#include "parsimap/assessment/comparison.hpp"
#include "parsimap/assessment/map_comparison.hpp"

namespace parsimap {

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
};

}  // namespace parsimap
