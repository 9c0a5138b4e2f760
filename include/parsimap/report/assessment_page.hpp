// The page of `assess`: confusion matrix, accuracies, reliability of the probabilities and options.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/assessment/assessment.hpp"
#include "parsimap/report/command_page.hpp"
#include "parsimap/report/experiment_record.hpp"

namespace parsimap {

CommandPage assessment_page(const Assessment& record, const std::vector<std::pair<std::string, std::string>>& options);

// The comparison as one run, as the figures of experiments want it.
ExperimentRun assessment_run(const Assessment& record);

}  // namespace parsimap
