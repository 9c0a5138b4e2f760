// What a scene or model file holds, and what a simulation made, for people.
#pragma once

#include <string>

#include "parsimap/report/run_record.hpp"

namespace parsimap {

std::string scene_text(const SceneRecord& record);

// Kernel, bands, scaling, provenance, classes, classes_text(), and where it is verbose machines_text(). `path` is the
// model's file.
std::string model_text(const Model& model, const std::string& path, bool verbose = false);

std::string simulation_text(const SimulationRecord& record);

}  // namespace parsimap
