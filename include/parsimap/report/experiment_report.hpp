// What an experiment measured, for people: a short text for the terminal, and a page.
#pragma once

#include <string>

#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/run_experiment.hpp"

namespace parsimap {

// One table per data set, one row per method: accuracies in percent (of the first test set, mean and deviation over the
// repeats), the criterion (mean over repeats and classes), seconds per repeat. Classes that ended on the trivial
// plateau of the criterion are counted.
std::string experiment_text(const ExperimentRecord& record);

// What one shard has done, in two lines.
std::string experiment_shard_text(const ExperimentShard& done);

// One page of HTML that opens from disk: style, charting library and data are inside, and it loads nothing else. It has
// the published values beside the measured ones, the summary, the runs that ended on the trivial plateau, and figures
// (see src/report/html/) with their numbers in tables; parts without data are left out. `results` is the text of
// results.json of the same record: what the figures are drawn from.
std::string experiment_html(const ExperimentRecord& record, const std::string& results);

// What an experiment measured, one row per run, test set and class.
//
// Columns have the names of results.json: data, kernel, criterion, dimension (of the method: the rule), repeat, seed,
// test, samples, overall_accuracy (empty when not all classes were trained), average_binary_accuracy, class,
// class_dimension (p), criterion_value, C, support_vectors, evaluations, stop_reason, seconds, binary_accuracy,
// rest_weight. Traces and directional weights are in results.json alone.
std::string experiment_csv(const ExperimentRecord& record);

}  // namespace parsimap
