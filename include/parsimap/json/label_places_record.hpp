// The document of `suggest --json`.
#pragma once

#include <string>

#include "parsimap/report/info_report.hpp"

namespace parsimap {

// As records.hpp.
std::string label_places_json(const LabelPlacesRecord& record);

}  // namespace parsimap
