// Which steps of a classification look at what lies around a pixel, and what they were found to be worth, in words.
#pragma once

#include <string>

#include "parsimap/classifier/spatial_record.hpp"
#include "parsimap/report/command_page.hpp"

namespace parsimap {

// One sentence or two, without a line break.
std::string spatial_text(const SpatialRecord& record);

// What was compared, one row for each trial; without rows where nothing was judged.
PageTable spatial_table(const SpatialRecord& record);

}  // namespace parsimap
