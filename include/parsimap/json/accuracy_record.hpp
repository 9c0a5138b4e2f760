// The document of `assess --json`, to the rules of records.hpp.
//
// Keys: pixels, overall_accuracy, average_accuracy, kappa, confusion, orientation, classes (name, reference_pixels,
// producers_accuracy, users_accuracy, f1, map_pixels, intervals), unclassified_pixels, conflicting_pixels,
// quantity_disagreement, allocation_disagreement, intervals, areas, comparison, map, reference, files, seconds.
// An interval is [low, high], or null.
//   intervals: confidence, regions (null: from independent pixels), overall_accuracy, average_accuracy, kappa; of a
//     class producers_accuracy, users_accuracy, f1
//   areas (null without a sampling design): design, strata (null: the map's classes), pixels, unit, total,
//     square_metres_per_pixel, orientation, shares, overall_accuracy, quantity_disagreement, allocation_disagreement,
//     classes (name, mapped_area, area, producers_accuracy, users_accuracy), unclassified_pixels,
//     pixels_outside_strata, merged_strata, single_unit_strata. Estimates are {value, standard_error, interval}.
//   comparison (null without a second map): map, pixels, both_right, first_only_right, second_only_right, both_wrong,
//     unclassified_pixels, first_overall_accuracy, second_overall_accuracy, difference, difference_interval, regions,
//     mcnemar (test, chi_square, p_value)
#pragma once

#include <string>
#include <vector>

#include "parsimap/accuracy/assessment.hpp"

namespace parsimap {

// `files` are those that were written, in `seconds`.
std::string accuracy_json(const Assessment& record, const std::vector<std::string>& files, double seconds);

}  // namespace parsimap
