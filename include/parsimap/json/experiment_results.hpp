// What an experiment measured, as JSON: the file results.json, and single runs as lines of a journal. Numbers print in
// the shortest form that reads back the same; what is not finite or not defined is null; accuracies are fractions,
// times seconds of processor time.
//
// results.json:
//   configuration  the resolved configuration (json/experiment_spec.hpp)
//   version        of the program
//   data           per data set: name, bands, wavelengths, training_samples, classes: name, samples, mean, deviation,
//                  eigenvalues, scree: dimension (the rule), chosen, threshold
//   runs           in the order data set, repeat, method: data, method (kernel, criterion, dimension: null without a
//                  subspace), repeat, seed, overall_accuracy (null when not all classes were trained) and
//                  average_binary_accuracy of the first test set,
//                  tests: name, samples, overall_accuracy, average_binary_accuracy, confusion_matrix (null, or names
//                  and counts: rows are reference),
//                  classes: name, dimension, criterion_value, C, support_vectors, evaluations, stop_reason, seconds,
//                  binary_accuracy (of the first test set), binary_accuracies (by test set), trace, weights,
//                  rest_weight
//   summary        per data set, method and test set: data, method, test, repeats, and mean_* and deviation_* of
//                  overall_accuracy and average_binary_accuracy, mean_seconds
//   published      source, quantity, data, test, class (null for a whole run), method, value, measured (mean over the
//                  repeats, or null), difference (measured - value, or null)
//   kernel_shapes  title, half_width, contour, values (rows of ascending x_2)
#pragma once

#include <optional>
#include <string>

#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/run_experiment.hpp"

namespace parsimap {

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

}  // namespace parsimap
