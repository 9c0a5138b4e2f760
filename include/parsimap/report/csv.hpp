// Results as tables for other programs: RFC 4180, UTF-8, accuracies as fractions with all digits, fields without a
// value empty. In matrices rows are reference and columns are map; the corner says so.
#pragma once

#include <string>
#include <vector>

#include "parsimap/assessment/assessment.hpp"
#include "parsimap/experiment/experiment_record.hpp"

namespace parsimap {

// The header is "reference \ map", the K map class names, reference_pixels, producers_accuracy, users_accuracy, f1,
// producers_low, producers_high, users_low, users_high, f1_low, f1_high. K rows of reference classes follow, then a row
// map_pixels (column sums, and the total under reference_pixels) and the rows pixels, unclassified_pixels,
// overall_accuracy, average_accuracy, kappa, quantity_disagreement, allocation_disagreement with their value in the
// second field and their interval in the third and fourth.
std::string accuracy_csv(const Assessment& record);

// The header is "reference \ map", the K map class names (estimated shares of the area), mapped_area, area,
// area_standard_error, area_low, area_high, unit, then producers_accuracy and users_accuracy, each with
// _standard_error, _low and _high. K rows of classes follow, then overall_accuracy (value, standard error, low, high),
// quantity_disagreement and allocation_disagreement.
std::string area_csv(const AreaAssessment& areas, const std::vector<std::string>& names);

// Rows of a measure and its value: the pixels, McNemar's test, the difference and its interval.
std::string comparison_csv(const MapComparison& comparison);

// What an experiment measured, one row per run, test set and class.
//
// Columns have the names of results.json: data, kernel, criterion, dimension (of the method: the rule), repeat, seed,
// test, samples, overall_accuracy (empty when not all classes were trained), average_binary_accuracy, class,
// class_dimension (p), criterion_value, C, support_vectors, evaluations, stop_reason, seconds, binary_accuracy,
// rest_weight. Traces and directional weights are in results.json alone.
std::string experiment_csv(const ExperimentRecord& record);

}  // namespace parsimap
