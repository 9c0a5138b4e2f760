// SimulationSpec <-> JSON document.
#pragma once

#include "parsimap/simulation/simulation_spec.hpp"

#include "json_document.hpp"

namespace parsimap {

// `object` has been checked against config/simulation.schema.json; what is absent has its default.
SimulationSpec simulation_of(const Json& object);

// Every field that is set, defaults included.
Json simulation_document(const SimulationSpec& spec);

}  // namespace parsimap
