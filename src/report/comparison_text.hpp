// Two maps against one reference, for people.
#pragma once

#include <string>
#include <vector>

#include "parsimap/assessment/assessment.hpp"
#include "parsimap/report/text_table.hpp"

namespace parsimap {

std::string comparison_text(const MapComparison& comparison);

// Its parts, for other renderings. Measure, value, interval.
TableRows comparison_rows(const MapComparison& comparison);
// The test and what it rests on, a sentence each.
std::vector<std::string> comparison_notes(const MapComparison& comparison);

}  // namespace parsimap
