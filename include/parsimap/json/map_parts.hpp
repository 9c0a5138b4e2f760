// The documents of a map in parts: one line of JSON each, which ends in a checksum of its own text (sealed_line.hpp).
#pragma once

#include <string>

#include "parsimap/report/map_parts.hpp"

namespace parsimap {

std::string plan_json(const MapPlan& plan);
std::string part_json(const MapPart& part);
std::string scene_map_json(const SceneMapRecord& record);

// DataError: the text is damaged, or no such document; it says what is wrong, and not where the text is from.
MapPlan plan_of_json(const std::string& text);
MapPart part_of_json(const std::string& text);
SceneMapRecord scene_map_of_json(const std::string& text);

}  // namespace parsimap
