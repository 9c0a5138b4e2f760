#include "parsimap/json/session_request.hpp"

#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "json_fields.hpp"
#include "schema_check.hpp"

namespace parsimap {

void check_session_request(const std::string& text) {
  static const nlohmann::json schema = resolved_schema(session_schema());
  const Json document = parse_json(text);
  const auto request = document.is_object() ? document.find("request") : document.end();
  if (!document.is_object() || request == document.end() || !request->is_string()) {
    throw ConfigError("a request must be an object with the member \"request\"");
  }
  std::vector<std::string> known;
  for (const auto& [name, definition] : schema.at("definitions").items()) {
    if (definition.value("properties", nlohmann::json::object()).contains("request")) {
      known.push_back(name);
    }
  }
  const auto name = request->get<std::string>();
  if (std::ranges::find(known, name) == known.end()) {
    throw ConfigError("request is '" + name + "'; it must be one of " + separated(known, ", "));
  }
  check_document(document, schema.at("definitions").at(name));
}

}  // namespace parsimap
