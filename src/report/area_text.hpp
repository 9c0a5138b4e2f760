// The areas and the accuracy of the whole map that a probability sample supports, for people.
#pragma once

#include <string>
#include <vector>

#include "parsimap/assessment/assessment.hpp"

namespace parsimap {

// `names` are those of the confusion matrix. What must be known to read the numbers is said below them: what the
// population is, strata of a single unit, strata made one.
std::string area_text(const AreaAssessment& areas, const std::vector<std::string>& names);

}  // namespace parsimap
