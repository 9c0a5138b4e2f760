// The accuracy of a map, for people and for spreadsheets. Rows are reference, columns are map, everywhere.
#pragma once

#include <string>

#include "parsimap/report/run_record.hpp"

namespace parsimap {

// The confusion matrix (classes numbered from 1 in their order, so that long names do not widen the columns),
// accuracies in percent with one decimal ("-" where 0/0), and the overall measures.
std::string accuracy_text(const AssessmentRecord& record);

// One RFC 4180 table, accuracies as fractions with all digits, empty where 0/0. The header is "reference \ map", the K
// map class names, reference_pixels, producers_accuracy, users_accuracy, f1. K rows of reference classes follow, then a
// row map_pixels (column sums, and the total under reference_pixels) and the rows pixels, unclassified_pixels,
// overall_accuracy, average_accuracy, kappa with their value in the second field; fields without a value are empty.
std::string accuracy_csv(const AssessmentRecord& record);

}  // namespace parsimap
