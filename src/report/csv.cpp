#include "csv.hpp"

#include <array>
#include <charconv>

namespace parsimap {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char character : text) {
    quoted += character;
    if (character == '"') {
      quoted += '"';
    }
  }
  return quoted + '"';
}

}  // namespace

std::string csv_number(std::optional<double> value) {
  if (!value) {
    return {};
  }
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), *value).ptr};
}

std::string csv_line(std::vector<std::string> fields, std::size_t columns) {
  fields.resize(columns);
  std::string line = csv_field(fields[0]);
  for (std::size_t i = 1; i < fields.size(); ++i) {
    line += ',';
    line += csv_field(fields[i]);
  }
  return line + "\r\n";
}

}  // namespace parsimap
