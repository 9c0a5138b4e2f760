#include "envi_header.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "text_rows.hpp"

namespace parsimap {
namespace {}  // namespace

EnviHeader::EnviHeader(std::string path, std::string_view text) : path_(std::move(path)) {
  if (!trimmed(take_line(text)).starts_with("ENVI")) {
    throw DataError(path_ + " does not begin with ENVI, as the header of an ENVI file does");
  }
  while (!text.empty()) {
    const std::string_view rest = text;
    const std::string_view line = take_line(text);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || trimmed(line).starts_with(";")) {
      continue;
    }
    const std::string name = lower_case(trimmed(line.substr(0, equals)));
    std::string_view value = trimmed(line.substr(equals + 1));
    if (value.starts_with("{")) {
      const std::size_t open = rest.find('{');
      const std::size_t close = rest.find('}', open);
      if (close == std::string_view::npos) {
        throw DataError(path_ + ": the list '" + name + "' has no closing brace");
      }
      value = rest.substr(open + 1, close - open - 1);
      text = rest.substr(close + 1);
    }
    fields_.emplace(name, std::string(value));
  }
}

std::string EnviHeader::text(const std::string& name) const {
  const auto found = fields_.find(name);
  return found == fields_.end() ? std::string() : std::string(trimmed(found->second));
}

Index EnviHeader::integer(const std::string& name, std::optional<Index> fallback, Index least) const {
  const std::string value = text(name);
  if (value.empty() && fallback) {
    return *fallback;
  }
  const auto number = parse_number<Index>(value);
  if (!number || *number < least) {
    throw DataError(path_ + ": '" + name + "' is '" + value + "'; it must be a whole number of at least " +
                    std::to_string(least));
  }
  return *number;
}

std::vector<std::string> EnviHeader::list(const std::string& name) const {
  std::string_view rest;
  if (const auto found = fields_.find(name); found != fields_.end()) {
    rest = found->second;
  }
  std::vector<std::string> members;
  while (!trimmed(rest).empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string member(trimmed(rest.substr(0, comma)));
    std::replace_if(
        member.begin(), member.end(), [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
    members.push_back(std::move(member));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return members;
}

std::vector<double> EnviHeader::numbers(const std::string& name) const {
  std::vector<double> numbers;
  for (const std::string& member : list(name)) {
    const auto number = parse_number<double>(member);
    if (!number) {
      throw DataError(path_ + ": '" + member + "' in the list '" + name + "' is not a number");
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace parsimap
