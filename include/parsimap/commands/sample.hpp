// Planning and drawing a probability sample of a map.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/sample_draw.hpp"
#include "parsimap/accuracy/sample_plan.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/report/sample_report.hpp"

namespace parsimap {

struct SampleOptions : JobOptions {
  std::string map;                          // class raster
  std::optional<std::string> earlier = {};  // class raster: the sample is of the changes since
  // Class raster on its grid: the sample tells which of the two maps is better, by points where they differ.
  std::optional<std::string> compared = {};
  std::optional<std::string> strata = {};  // class raster on its grid; unset: the map's classes
  PlanOptions plan = {};
  DrawOptions draw = {};
  std::vector<std::string> aims = {};      // texts of plan.aims
  std::vector<std::string> expected = {};  // accuracies, "0.9" or "CLASS=0.9", of plan.expected
  std::optional<std::string> out = {};     // GeoPackage to write; unset: the sample is planned, and not drawn
  std::optional<std::string> report = {};  // page of HTML to write
};

// Plans a sample (accuracy/sample_plan.hpp), draws it and writes its points with an empty field `class`, to be labelled
// and given to assess_map(). ConfigError: as plan_sample(), and outputs that cannot be written or would replace an
// input. DataError: a map that cannot be read, strata on another grid or without a pixel of the map, maps to compare
// that do not differ. IoError: reading or writing fails on the way.
SampleRecord plan_and_draw(const SampleOptions& options, Listener& listener);

}  // namespace parsimap
