// The configuration of an experiment as a JSON file. config/experiment.schema.json is the JSON Schema and says what
// every key means; config/README.md has the same as a table.
#pragma once

#include <string>

#include "parsimap/experiment/experiment_spec.hpp"

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

}  // namespace parsimap
