// JSON text <-> document. Documents keep the order of their keys.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace parsimap {

using Json = nlohmann::ordered_json;

// ConfigError "not valid JSON: ..." with the line and column.
Json parse_json(const std::string& text);

// The text of a file that is not empty. ConfigError "<role> '<path>' cannot be read or is empty".
std::string read_text(const std::string& path, const std::string& role);

// Sets `field` to the value at `key`; without that key it stays as it is. The document has been checked against its
// schema.
template <typename Field>
void read_field(const Json& object, const char* key, Field& field) {
  if (const auto found = object.find(key); found != object.end()) {
    field = found->get<Field>();
  }
}

template <typename Field>
void read_field(const Json& object, const char* key, std::optional<Field>& field) {
  if (const auto found = object.find(key); found != object.end()) {
    field = found->get<Field>();
  }
}

template <typename Value>
Json nullable(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Indented, with a newline at the end; as one line without one. Text from files may not be UTF-8, which JSON has to be:
// what is not becomes U+FFFD. Values that are not finite are written as null.
std::string document_text(const Json& json);
std::string line_text(const Json& json);

}  // namespace parsimap
