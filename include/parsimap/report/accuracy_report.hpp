// The accuracy of a map, for people: as text and as a page. Rows are reference, columns are map, everywhere.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/accuracy/reliability.hpp"
#include "parsimap/report/assessment_record.hpp"
#include "parsimap/report/command_page.hpp"

namespace parsimap {

// The unit of areas: "ha", "m2" below one hectare, or "pixels" where the size of a pixel is not known.
struct AreaUnit {
  std::string name;
  double factor = 1;  // from a share of the population to an area
};
AreaUnit area_unit(const AreaRecord& record);

// The confusion matrix (classes numbered from 1 in their order, so that long names do not widen the columns),
// accuracies in percent with one decimal ("-" where 0/0) and their intervals, and the overall measures; then the areas
// and the second map, where the record has them.
std::string accuracy_text(const AssessmentRecord& record);

// The page of `assess`: the same, the reliability of the probabilities where they are known, and the options.
CommandPage assessment_page(const AssessmentRecord& record, const std::optional<Reliability>& reliability,
                            const std::vector<std::pair<std::string, std::string>>& options);

}  // namespace parsimap
