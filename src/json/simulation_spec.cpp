#include "parsimap/json/simulation_spec.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/json/json_text.hpp"

#include "schema_check.hpp"
#include "simulation_fields.hpp"

namespace parsimap {

SimulationSpec read_simulation_spec(const std::string& path) {
  const std::string text = read_json_text(path, "simulation specification");
  try {
    const Json document = parse_json(text);
    static const nlohmann::json schema = resolved_schema(simulation_schema());
    check_document(document, schema);
    SimulationSpec spec = value_of<Form::spec, SimulationSpec>(Node(document));
    check_simulation(spec);
    return spec;
  } catch (const ConfigError& error) {
    throw ConfigError(path + ": " + error.what());
  }
}

}  // namespace parsimap
