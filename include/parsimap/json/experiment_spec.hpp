// Specifications of experiments and of simulated scenes as JSON files.
//
// ---- experiments ----
//
// The configuration of an experiment. config/experiment.schema.json is the JSON Schema and says what
// every key means; config/README.md has the same as a table.
#pragma once

#include <string>

#include "parsimap/core/record_fields.hpp"
#include "parsimap/experiment/experiment_spec.hpp"
#include "parsimap/simulation/simulation.hpp"

namespace parsimap {

// ConfigError: the file cannot be read or is not JSON (with the line and column), an unknown or missing key, a wrong
// type, a value out of range, an unknown method (known ones are listed), or fields that contradict each other, as in
// "experiment.json: /methods/0/kernel is "rbf"; it must be one of hdda, pca, ...".
ExperimentSpec read_experiment(const std::string& path);

// The same for a text.
ExperimentSpec parse_experiment(const std::string& text);

// The resolved configuration: every field with its default, lists of methods expanded. JSON, indented; parsing it
// gives `spec` again.
std::string experiment_json(const ExperimentSpec& spec);

// The text of config/experiment.schema.json when the program was built.
const std::string& experiment_schema();

// ---- simulated scenes ----

// The specification of a simulated scene. Keys are the fields of SimulationSpec (simulation/simulation.hpp says
// what they mean); config/simulation.schema.json is the JSON Schema. ConfigError: the file cannot be read or is not
// JSON (with the line and column), an unknown or missing key, a wrong type, or a value out of range, as in "spec.json:
// /classes/1/dimension is 40; it must be smaller than bands (30)".
SimulationSpec read_simulation_spec(const std::string& path);

// The text of config/simulation.schema.json when the program was built.
const std::string& simulation_schema();

void list_fields(SimulationSpec& spec, Fields& field);

}  // namespace parsimap
