// The accuracy of a map, for spreadsheets: RFC 4180 tables, accuracies as fractions with all digits, fields without a
// value empty. Rows are reference, columns are map, everywhere; the corner of a matrix says so.
#pragma once

#include <string>

#include "parsimap/assessment/assessment.hpp"

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

}  // namespace parsimap
