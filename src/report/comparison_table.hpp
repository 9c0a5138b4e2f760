// Two maps compared with the same reference, as a table and sentences.
#pragma once

#include <string>
#include <vector>

#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/report/table.hpp"

namespace parsimap {

// Of a drawn sample without the accuracies of its points, which are those of no map.
Table comparison_table(const MapComparison& comparison);
// The test and what it rests on, or of a drawn sample which map is better as far as it says, a sentence each.
std::vector<std::string> comparison_notes(const MapComparison& comparison);

}  // namespace parsimap
