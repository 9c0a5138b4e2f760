// What an experiment measured as JSON: results.json and the lines of journals.
#pragma once

#include <optional>
#include <string>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/core/record_fields.hpp"
#include "parsimap/experiment/experiment_record.hpp"

namespace parsimap {

// Numbers print in the shortest form that reads back the same; what is not finite or not defined is null; accuracies
// are fractions, times seconds of processor time. docs/formats.md lists the keys.
std::string results_json(const ExperimentRecord& record);

// What one shard has done: shard (as in "3/64"), runs, done_before, journal (its path, null for a shard without runs).
std::string experiment_shard_json(const ExperimentShard& done);

// One run as one line, without its end.
std::string run_line(const ExperimentRun& run);
// The run of such a line, bit by bit but for values that are not finite, which become NaN. DataError when it is none,
// or one without test sets or of lists that differ in length.
ExperimentRun run_from_line(const std::string& line);

// The description of a data set as one line: an object with the one member "description". Journals of shards hold such
// lines beside those of runs.
std::string description_line(const DataDescription& description);
// The description of such a line, as run_from_line() has a run; nothing where the line does not begin like one.
std::optional<DataDescription> description_from_line(const std::string& line);

// The fields of what pages have as well.
void list_fields(MethodName& method, Fields& field);
void list_fields(DataDescription& description, Fields& field);
// The member "confusion_matrix": null, or names and counts.
void list_confusion(std::optional<ConfusionMatrix>& confusion, Fields& field);

}  // namespace parsimap
