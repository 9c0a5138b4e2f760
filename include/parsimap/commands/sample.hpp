// Planning and drawing a probability sample of a map.
#pragma once

#include <string>
#include <vector>

#include "parsimap/accuracy/sample_draw.hpp"
#include "parsimap/accuracy/sample_plan.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/report/sample_report.hpp"

namespace parsimap {

struct SampleOptions : JobOptions, SampleFiles {
  PlanOptions plan = {};
  DrawOptions draw = {};
  std::vector<std::string> aims = {};      // texts of plan.aims
  std::vector<std::string> expected = {};  // accuracies, "0.9" or "CLASS=0.9", of plan.expected
};

// Plans a sample (accuracy/sample_plan.hpp), draws it and writes its points with an empty field `class`, to be labelled
// and given to assess_map(). ConfigError: as plan_sample(), and outputs that cannot be written or would replace an
// input. DataError: a map that cannot be read, strata on another grid or without a pixel of the map, maps to compare
// that do not differ. IoError: reading or writing fails on the way.
SampleRecord plan_and_draw(const SampleOptions& options, Listener& listener);

}  // namespace parsimap
