// JSON text <-> document. Documents keep the order of their keys.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parsimap {

using Json = nlohmann::ordered_json;

// ConfigError "not valid JSON: ..." with the line and column; also as check_json_nesting().
Json parse_json(const std::string& text);

template <typename Value>
Json nullable(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// A matrix as a list of its rows, each a list of numbers.
template <typename Matrix>
Json rows_document(const Matrix& matrix) {
  Json rows = Json::array();
  for (const auto& row : matrix.rowwise()) {
    rows.push_back(std::vector(row.begin(), row.end()));
  }
  return rows;
}

// An object of names and their values.
Json named_values(const std::vector<std::pair<std::string, double>>& values);

// The text of a document: indented with a newline at its end, or as one line without one. JSON has to be UTF-8 and text
// from files may not be; bytes that are not UTF-8 become U+FFFD. Numbers that are not finite are written as null.
std::string document_text(const Json& json);
std::string line_text(const Json& json);

}  // namespace parsimap
