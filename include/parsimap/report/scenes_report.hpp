// What was made of several scenes, as text for people.
#pragma once

#include <string>

#include "parsimap/report/run_record.hpp"

namespace parsimap {

// A line for every scene with its pixels and map, a sentence for every one that failed, and the mosaic with its
// classes.
std::string scenes_text(const ScenesRecord& record);

}  // namespace parsimap
