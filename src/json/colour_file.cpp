#include "parsimap/json/colour_file.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "parsimap/core/error.hpp"
#include "parsimap/json/json_text.hpp"

#include "json_document.hpp"

namespace parsimap {
namespace {

std::optional<int> code_of(const std::string& key) {
  int code = 0;
  const auto [end, failure] = std::from_chars(key.data(), key.data() + key.size(), code);
  const bool whole = failure == std::errc{} && end == key.data() + key.size();
  return whole && code > 0 ? std::optional(code) : std::nullopt;
}

std::optional<Colour> colour_of(const Json& value) {
  constexpr std::size_t kLength = 7;
  const std::string text = value.is_string() ? value.get<std::string>() : "";
  if (text.size() != kLength || text.front() != '#' ||
      !std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; })) {
    return std::nullopt;
  }
  Colour colour{};
  for (std::size_t i = 0; i < colour.size(); ++i) {
    const char* digits = text.data() + 1 + 2 * i;
    std::from_chars(digits, digits + 2, colour[i], 16);
  }
  return colour;
}

}  // namespace

std::vector<ColourRule> read_colour_file(const std::string& path) {
  const std::string text = read_json_text(path, "colour file");
  try {
    const Json document = parse_json(text);
    if (!document.is_object() || document.empty()) {
      throw ConfigError("it must be an object of class names or codes and colours");
    }
    std::vector<ColourRule> rules;
    for (const auto& [key, value] : document.items()) {
      const std::optional<Colour> colour = colour_of(value);
      if (!colour) {
        throw ConfigError("the colour of '" + key + "' is " + line_text(value) +
                          "; it must be of the form \"#rrggbb\"");
      }
      rules.push_back({key, code_of(key), *colour});
    }
    return rules;
  } catch (const ConfigError& error) {
    throw ConfigError(path + ": " + error.what());
  }
}

}  // namespace parsimap
