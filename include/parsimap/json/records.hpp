// The documents of `--json`: UTF-8, indented, ending in a newline. Numbers print in the shortest form that reads back
// the same; what is not finite or not defined is null; accuracies and shares are fractions; bands count from 1.
#pragma once

#include <string>

#include "parsimap/report/run_record.hpp"

namespace parsimap {

std::string training_json(const Model& model, const TrainingRecord& record);
std::string mapping_json(const MappingRecord& record);
std::string scenes_json(const ScenesRecord& record);
std::string info_json(const SceneRecord& record);
std::string info_json(const Model& model, const std::string& path);
std::string simulation_json(const SimulationRecord& record);
// Of `report`: the page that was written.
std::string report_json(const std::string& page);

}  // namespace parsimap
