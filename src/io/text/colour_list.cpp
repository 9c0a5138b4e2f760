#include "parsimap/io/text/colour_list.hpp"

#include <charconv>
#include <optional>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "text_lines.hpp"

namespace parsimap {
namespace {

constexpr int kLargestChannel = 255;
constexpr int kLargestCode = 65535;

// Takes a whole number from 0 to `largest`, and the separator behind it, off `line`; nothing where there is none.
std::optional<int> take_number(std::string_view& line, int largest) {
  const std::string_view separators = " \t,:";
  const std::string_view field = line.substr(0, line.find_first_of(separators));
  int value = 0;
  const auto [end, failure] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (failure != std::errc{} || end != field.data() + field.size() || value < 0 || value > largest) {
    return std::nullopt;
  }
  line = trimmed(line.substr(field.size()));
  if (!line.empty() && (line.front() == ',' || line.front() == ':')) {
    line = trimmed(line.substr(1));
  }
  return value;
}

// Nothing for a line that is none of `code red green blue [name]`.
std::optional<ColourRule> parse_rule(std::string_view line) {
  ColourRule rule;
  rule.code = take_number(line, kLargestCode);
  for (std::uint8_t& channel : rule.colour) {
    const std::optional<int> value = take_number(line, kLargestChannel);
    if (!value) {
      return std::nullopt;
    }
    channel = static_cast<std::uint8_t>(*value);
  }
  take_number(line, kLargestChannel);
  rule.name = line;
  return rule.code ? std::optional(rule) : std::nullopt;
}

bool is_passed_over(std::string_view line) {
  const auto begins_with = [line](std::string_view word) { return line.substr(0, word.size()) == word; };
  return line.empty() || begins_with("#") || begins_with("INTERPOLATION:") || begins_with("nv ") ||
         begins_with("default ");
}

std::string text_of(const std::string& path) {
  try {
    return file_text(path);
  } catch (const DataError& error) {
    throw ConfigError(error.what());
  }
}

}  // namespace

std::vector<ColourRule> read_colour_list(const std::string& path) {
  const std::string text = text_of(path);
  std::string_view rest = text;
  std::vector<ColourRule> rules;
  for (int line_number = 1; !rest.empty(); ++line_number) {
    const std::string_view line = next_line(rest);
    if (is_passed_over(line)) {
      continue;
    }
    const std::optional<ColourRule> rule = parse_rule(line);
    if (!rule) {
      throw ConfigError(
          path + ": line " + std::to_string(line_number) + " is '" + std::string(line) +
          "'; it must be a code from 0 to 65535, red, green and blue from 0 to 255, and if wanted a name");
    }
    if (rule->code != 0) {
      rules.push_back(*rule);
    }
  }
  if (rules.empty()) {
    throw ConfigError(path + " holds no colours");
  }
  return rules;
}

}  // namespace parsimap
