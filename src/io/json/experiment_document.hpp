// ExperimentSpec -> JSON document: the resolved configuration.
#pragma once

#include "parsimap/experiment/experiment_spec.hpp"

#include "json_document.hpp"

namespace parsimap {

// Every field that is set, defaults included; one entry per method, and published values of one method and quantity
// side by side.
Json experiment_document(const ExperimentSpec& spec);

}  // namespace parsimap
