// What an inspection of labels found, for people: as text and as a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/report/command_page.hpp"
#include "parsimap/report/inspection_record.hpp"

namespace parsimap {

// How many regions are taken for another class, the `most` most suspicious ones, and the classes.
std::string inspection_text(const InspectionRecord& record, Index most);

// The page of `inspect`: the same with more regions.
CommandPage inspection_page(const InspectionRecord& record,
                            const std::vector<std::pair<std::string, std::string>>& options);

}  // namespace parsimap
