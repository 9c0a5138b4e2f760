// The accuracy of a map, for people: as text and as a page. Rows are reference, columns are map, everywhere.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/assessment/assessment.hpp"
#include "parsimap/report/command_page.hpp"

namespace parsimap {

// The confusion matrix (classes numbered from 1 in their order, so that long names do not widen the columns),
// accuracies in percent with one decimal ("-" where 0/0) and their intervals, and the overall measures; then the areas
// and the second map, where the record has them.
std::string accuracy_text(const Assessment& record);

// The page of `assess`: the same, the reliability of the probabilities where they are known, and the options.
CommandPage assessment_page(const Assessment& record, const std::vector<std::pair<std::string, std::string>>& options);

}  // namespace parsimap
