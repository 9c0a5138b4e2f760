// Two maps against one reference, for people.
#pragma once

#include <string>

#include "parsimap/report/assessment_record.hpp"

namespace parsimap {

std::string comparison_text(const MapComparisonRecord& comparison);

}  // namespace parsimap
