// What an experiment measured as a short text for the terminal: one table per data set, one row per method.
#pragma once

#include <string>

#include "parsimap/report/experiment_record.hpp"

namespace parsimap {

// Accuracies in percent (of the first test set, mean and deviation over the repeats), the criterion (mean over repeats
// and classes), seconds per repeat; classes that ended on the trivial plateau of the criterion are counted.
std::string experiment_text(const ExperimentRecord& record);

}  // namespace parsimap
