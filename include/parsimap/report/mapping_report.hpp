// A finished map, for people.
#pragma once

#include <string>

#include "parsimap/report/run_record.hpp"

namespace parsimap {

// Classes with their pixels and share of the classified pixels in percent, and where the time went.
std::string mapping_text(const MappingRecord& record);

// "neighbours:1:2 (chosen by auto)"; "none".
std::string regularisation_text(const MappingRecord& record);

}  // namespace parsimap
