// Specifications of simulated scenes as JSON files.
#pragma once

#include <string>

#include "parsimap/core/record_fields.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

namespace parsimap {

// The specification of a simulated scene. Keys are the fields of SimulationSpec (simulation/simulation.hpp says
// what they mean); config/simulation.schema.json is the JSON Schema. ConfigError: the file cannot be read or is not
// JSON (with the line and column), an unknown or missing key, a wrong type, or a value out of range, as in "spec.json:
// /classes/1/dimension is 40; it must be smaller than bands (30)".
SimulationSpec read_simulation_spec(const std::string& path);

// The text of config/simulation.schema.json when the program was built.
const std::string& simulation_schema();

void list_fields(SimulationSpec& spec, Fields& field);

}  // namespace parsimap
