// Small pieces of text: white space, numbers written as text, names of the values of an enumeration, and names of
// classes as they stand in files.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"

namespace parsimap {

// `text` without the blanks, tabs and line ends (\r and \n) before and behind it.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// `text` with the letters of ASCII in lower case.
inline std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') {
      letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  return result;
}

// The number that the whole of `text` is, in C's notation and in no locale, with an optional sign. Nothing where text
// is left over, and where the number is infinite, NaN or too large for its type.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') {
    text.remove_prefix(1);
  }
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(value)) {
      return std::nullopt;
    }
  }
  return value;
}

// The shortest text that reads back as the same number.
std::string number_text(double value);
std::string number_text(float value);
// The number with so many significant digits at most, with an exponent where that is shorter.
std::string number_text(double value, int digits);

// "a, b or c".
inline std::string listed(const std::vector<std::string>& names, const std::string& before_last = " or ") {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : before_last) + names[i];
  }
  return text;
}

// "a, b, c": the texts of items with a separator between them.
template <typename List, typename Text = std::identity>
std::string separated(const List& list, const std::string& separator, const Text& text_of = {}) {
  std::string text;
  for (const auto& item : list) {
    text += (text.empty() ? "" : separator) + text_of(item);
  }
  return text;
}

// "a, b and 3 more": the texts of so many items at most.
template <typename List, typename Text = std::identity>
std::string shortened(const List& list, std::size_t most, const Text& text_of = {}) {
  const std::string more = list.size() > most ? " and " + std::to_string(list.size() - most) + " more" : "";
  const auto end = std::next(list.begin(), static_cast<std::ptrdiff_t>(std::min(most, list.size())));
  return separated(std::vector(list.begin(), end), ", ", text_of) + more;
}

// The parts of a text between the separators, each of which is one letter, without the white space around them. Behind
// the last separator there is a part only where there is more than white space.
std::vector<std::string> parts_of(std::string_view text, std::string_view separators);

// The values of an enumeration with the names by which users know them.
template <typename Value>
using Names = std::vector<std::pair<Value, std::string>>;

// The value that is called `text`. ConfigError where there is none: the role of the text, such as "kernel", the text,
// and the names there are.
template <typename Value>
Value parse_name(const std::string& role, const std::string& text, const Names<Value>& names,
                 const std::string& complaint = "is unknown; it must be") {
  std::vector<std::string> known;
  for (const auto& [value, name] : names) {
    if (name == text) {
      return value;
    }
    known.push_back(name);
  }
  throw ConfigError(role + " '" + text + "' " + complaint + " " + listed(known));
}

// The place of a name among others. One that differs in upper and lower case alone counts where no second one does so.
inline std::optional<std::size_t> place_of_name(const std::vector<std::string>& names, const std::string& name) {
  const auto exact = std::ranges::find(names, name);
  const auto alike = [&](const std::string& other) { return lower_case(other) == lower_case(name); };
  const auto found = exact != names.end() ? exact : std::ranges::find_if(names, alike);
  const bool only_one = found != names.end() && (exact == found || std::none_of(found + 1, names.end(), alike));
  return only_one ? std::optional(static_cast<std::size_t>(found - names.begin())) : std::nullopt;
}

// The name of a value, which must be among `names`.
template <typename Value>
const std::string& name_among(Value value, const Names<Value>& names) {
  return std::ranges::find(names, value, &Names<Value>::value_type::first)->second;
}

// Names of classes as they stand in files, made fit for everything that is written: UTF-8, without what XML cannot
// hold.

// The character that `text`, which is not empty, begins with.
struct Character {
  std::size_t bytes = 0;    // of its UTF-8; 0 where there is none
  std::size_t columns = 1;  // of a terminal: none for combining marks, two for East Asian wide characters
};
Character first_character(std::string_view text);

// True where `text` is UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing cut off.
bool is_utf8(std::string_view text);

// `text`, which is ISO-8859-1, as UTF-8.
std::string utf8_of_latin1(std::string_view text);

// The first few of `names` in quotes, and how many more there are.
std::string quoted_names(const std::set<std::string>& names);

// The name of a class as it is stored and compared, so that names that look equal are equal: UTF-8 in composed form
// (NFC), with other spaces of Unicode as blanks, and without white space or invisible characters around it.
// What is not UTF-8 is taken for ISO-8859-1, as old shapefiles and headers have it; control characters, which
// headers, tables and XML cannot hold, become blanks, those of tabs and line breaks among them.
std::string class_name(std::string_view text);

// Equal for names that differ only in upper and lower case. `name` is UTF-8.
std::string case_folded(const std::string& name);

// Reads the names of one file, and remembers what it changed.
class ClassNameReader {
 public:
  // class_name().
  std::string read(std::string_view name);

  // A sentence for each kind of change that `path` needed.
  [[nodiscard]] std::vector<std::string> notes(const std::string& path) const;

 private:
  std::set<std::string> recoded_;  // as they were read
  std::set<std::string> cleaned_;
  std::set<std::string> composed_;
};

}  // namespace parsimap
