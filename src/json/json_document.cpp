#include "json_document.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/json/json_text.hpp"

namespace parsimap {

Json parse_json(const std::string& text) {
  check_json_nesting(text);
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // Of "[json.exception.parse_error.101] parse error at line 3, column 5: ..." the user needs what follows the code.
    const std::string reason = error.what();
    throw ConfigError("not valid JSON: " + reason.substr(reason.find("] ") + 2));
  }
}

Json named_values(const std::vector<std::pair<std::string, double>>& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) {
    json[name] = value;
  }
  return json;
}

std::string document_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string line_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace parsimap
