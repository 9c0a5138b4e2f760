// What somebody published beside what was measured here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/report/experiment_record.hpp"

namespace parsimap {

// The measured counterpart of a published value: the mean over the repeats of its data set and method. Seconds without
// a class are those of all classes together. Unset where nothing of that kind was measured.
std::optional<double> measured_value(const ExperimentRecord& record, const PublishedValue& published);

struct ComparedValue {
  std::optional<double> published;
  std::optional<double> measured;
};

struct ComparedRow {
  MethodName method;
  std::vector<ComparedValue> values;  // one per column
};

// The published values of one source, quantity, data set and test set: methods x classes, both in the order in which
// they are listed first. The average of binary accuracies is the column "mean" of their table; other values of a whole
// run are in the column "all classes".
struct ComparedTable {
  std::string source;
  std::string quantity;
  std::string data;
  std::string test;
  std::vector<std::string> columns;
  std::vector<ComparedRow> rows;
};

std::vector<ComparedTable> compare_published(const ExperimentRecord& record);

}  // namespace parsimap
