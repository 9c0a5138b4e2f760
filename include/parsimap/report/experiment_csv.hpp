// What an experiment measured as a table for other programs: RFC 4180, UTF-8, one row per run, test set and class.
//
// Columns have the names of results.json: data, kernel, criterion, dimension (of the method: the rule), repeat, seed,
// test, samples, overall_accuracy (empty when not all classes were trained), average_binary_accuracy, class,
// class_dimension (p), criterion_value, C, support_vectors, evaluations, stop_reason, seconds, binary_accuracy,
// rest_weight. Traces and directional weights are in results.json alone.
#pragma once

#include <string>

#include "parsimap/report/experiment_record.hpp"

namespace parsimap {

std::string experiment_csv(const ExperimentRecord& record);

}  // namespace parsimap
