// The accuracy of a map, for people. Rows are reference, columns are map, everywhere.
#pragma once

#include <string>

#include "parsimap/assessment/assessment.hpp"
#include "parsimap/report/text_table.hpp"

namespace parsimap {

// The confusion matrix (classes numbered from 1 in their order, so that long names do not widen the columns),
// accuracies in percent with one decimal ("-" where 0/0) and their intervals, and the overall measures; then the areas
// and the second map, where the record has them.
std::string accuracy_text(const Assessment& record);

// Its parts, for other renderings. Measure, value, interval.
TableRows overall_rows(const Assessment& record);
// Class, reference pixels, map pixels, then producer's accuracy, user's accuracy and F1, each with its interval.
TableRows class_rows(const Assessment& record);
// What the intervals take for independent, as a sentence.
std::string intervals_note(const AccuracyIntervals& intervals);

}  // namespace parsimap
