// Means and spreads over the repeats of an experiment.
#pragma once

#include <vector>

#include "parsimap/report/experiment_record.hpp"

namespace parsimap {

// One entry for every data set, method and test set, in the order of their first run.
std::vector<MethodSummary> summarise(const std::vector<ExperimentRun>& runs);

}  // namespace parsimap
