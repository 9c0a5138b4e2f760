// What all runs on a data set have in common: the names of test sets and of trained classes, in their order. Data that
// have changed between two runs show by it.
#pragma once

#include <string>
#include <vector>

#include "parsimap/experiment/dataset.hpp"
#include "parsimap/experiment/experiment_record.hpp"

namespace parsimap {

struct RunShape {
  std::vector<std::string> tests;
  std::vector<std::string> classes;
  bool operator==(const RunShape&) const = default;
};

// Of runs on a draw that train the classes of these indices.
RunShape shape_of(const Dataset& draw, const std::vector<int>& classes);
RunShape shape_of(const ExperimentRun& run);

// "data set 'hills': repeat 3 of hdda, leave-one-out, fixed:2"
std::string run_title(const ExperimentRun& run);

}  // namespace parsimap
