#include "parsimap/json/json_text.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"

namespace parsimap {

std::string read_json_text(const std::string& path, const std::string& role) {
  std::string text;
  try {
    text = read_text_file(path, kLargestConfiguration);
  } catch (const DataError& error) {
    // Its text begins with the path.
    throw ConfigError(role + " '" + path + "'" + std::string(error.what()).substr(path.size()));
  }
  if (text.empty()) {
    throw ConfigError(role + " '" + path + "' is empty");
  }
  return text;
}

void check_json_nesting(const std::string& text) {
  constexpr int kDeepest = 100;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      i += c == '\\' ? 1 : 0;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) {
        throw ConfigError("not valid JSON for this program: lists and objects are nested more than " +
                          std::to_string(kDeepest) + " deep");
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

}  // namespace parsimap
