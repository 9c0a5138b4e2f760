// The accuracy of a map, for people. Rows are reference, columns are map, everywhere.
#pragma once

#include <string>

#include "parsimap/report/assessment_record.hpp"

namespace parsimap {

// The confusion matrix (classes numbered from 1 in their order, so that long names do not widen the columns),
// accuracies in percent with one decimal ("-" where 0/0) and their intervals, and the overall measures; then the areas
// and the second map, where the record has them.
std::string accuracy_text(const AssessmentRecord& record);

}  // namespace parsimap
