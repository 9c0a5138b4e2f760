// The document of `inspect --json`, and the data of its page.
#pragma once

#include <string>

#include "parsimap/report/inspection_report.hpp"

namespace parsimap {

// As records.hpp. Of the regions all are listed, by rank.
std::string inspection_json(const InspectionRecord& record);

// What the figures of the page are drawn from (page_data.hpp).
std::string inspection_data_json(const InspectionRecord& record);

}  // namespace parsimap
