#include "parsimap/io/text/class_counts.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

std::string trimmed(const std::string& text) {
  const char* const space = " \t\r";
  const std::size_t first = text.find_first_not_of(space);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string unquoted(const std::string& text) {
  return text.size() >= 2 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2) : text;
}

std::optional<Index> parse_count(const std::string& text) {
  Index value = 0;
  const char* end = text.data() + text.size();
  const auto [last, failure] = std::from_chars(text.data(), end, value);
  return failure == std::errc() && last == end && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

std::vector<std::pair<std::string, Index>> read_class_counts(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || file.peek() == std::ifstream::traits_type::eof()) {
    throw DataError(path + " cannot be read or is empty");
  }
  std::vector<std::pair<std::string, Index>> counts;
  std::string line;
  bool first = true;
  for (Index number = 1; std::getline(file, line); ++number) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') {
      continue;
    }
    const std::string where = path + ", line " + std::to_string(number) + ": ";
    const std::size_t separator = line.find_last_of(",;\t");
    if (separator == std::string::npos) {
      throw DataError(where + "'" + line + "' must be a class and a number, as in 'forest,200'");
    }
    const std::string text = trimmed(line.substr(separator + 1));
    const std::optional<Index> count = parse_count(text);
    if (!count && !first) {
      throw DataError(where + "'" + text + "' is not a whole number");
    }
    first = false;
    if (count) {
      const std::string name = unquoted(trimmed(line.substr(0, separator)));
      if (std::any_of(counts.begin(), counts.end(), [&](const auto& entry) { return entry.first == name; })) {
        throw DataError(where + "class '" + name + "' is there twice");
      }
      counts.emplace_back(name, *count);
    }
  }
  if (counts.empty()) {
    throw DataError(path + " holds no class with a number");
  }
  return counts;
}

}  // namespace parsimap
