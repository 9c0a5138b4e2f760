// The report of `assess`.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/accuracy/reliability.hpp"
#include "parsimap/assessment/assessment.hpp"

namespace parsimap {

// `reliability` where the map's probabilities are known.
std::string assess_report(const Assessment& record, const std::optional<Reliability>& reliability,
                          const std::vector<std::pair<std::string, std::string>>& options);

}  // namespace parsimap
