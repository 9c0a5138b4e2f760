#include "json_document.hpp"

#include <fstream>
#include <iterator>

#include "parsimap/core/error.hpp"

namespace parsimap {

Json parse_json(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    // Of "[json.exception.parse_error.101] parse error at line 3, column 5: ..." the user needs what follows the code.
    const std::string reason = error.what();
    throw ConfigError("not valid JSON: " + reason.substr(reason.find("] ") + 2));
  }
}

std::string read_text(const std::string& path, const std::string& role) {
  std::ifstream file(path, std::ios::binary);
  if (!file || file.peek() == std::ifstream::traits_type::eof()) {
    throw ConfigError(role + " '" + path + "' cannot be read or is empty");
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string document_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string line_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace parsimap
