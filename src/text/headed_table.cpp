#include "headed_table.hpp"

#include <algorithm>

#include "parsimap/core/class_name.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/core/text_file.hpp"

namespace parsimap {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// The separator of a line that has one.
char separator_of(std::string_view line) {
  const std::size_t place = line.find_first_of(",;\t");
  return place == std::string_view::npos ? ',' : line[place];
}

// "the column scene", "the columns from and to".
std::string columns_text(const std::vector<std::string>& names) {
  std::string text = names.size() == 1 ? "the column " : "the columns ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " and ") + names[i];
  }
  return text;
}

}  // namespace

std::string text_of_names(const std::string& path, std::uintmax_t largest, const Warn& warn) {
  std::string text = read_text_file(path, largest);
  if (is_utf8(text)) {
    return text;
  }
  if (warn) {
    warn(path + " is not UTF-8; it was read as Latin-1 (ISO-8859-1)");
  }
  return utf8_of_latin1(text);
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (Index number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!trimmed(line).empty()) {
      lines.push_back({number, trimmed(line)});
    }
  }
  return lines;
}

std::string place(const std::string& path, Index line) { return path + ": line " + std::to_string(line); }

std::vector<std::string> fields_of(std::string_view line, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool twice = quoted && i + 1 < line.size() && line[i + 1] == '"';
      i += twice ? 1 : 0;
      quoted = twice ? quoted : !quoted;
      fields.back() += twice ? "\"" : "";
    } else if (line[i] == separator && !quoted) {
      fields.back() = trimmed(fields.back());
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  fields.back() = trimmed(fields.back());
  return fields;
}

std::optional<std::size_t> HeadedTable::column(const std::string& name) const {
  const auto found = std::find(header.begin(), header.end(), name);
  return found == header.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - header.begin()));
}

HeadedTable read_headed_table(const std::string& path, const std::vector<std::string>& needed,
                              const std::string& example, const Warn& warn) {
  const std::string text = text_of_names(path, kLargestConfiguration, warn);
  const std::vector<Line> lines =
      lines_of(std::string_view(text).substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0));
  if (lines.empty()) {
    throw DataError(path + " is empty; it must be a table with " + columns_text(needed));
  }
  const Line& first = lines.front();
  const char separator = separator_of(first.text);
  HeadedTable table{fields_of(first.text, separator), {}};
  for (const std::string& name : needed) {
    if (!table.column(name)) {
      throw DataError(place(path, first.number) + ": '" + std::string(first.text) + "' must be a header with " +
                      columns_text(needed) + ", as in '" + example + "'");
    }
  }
  for (auto line = lines.begin() + 1; line != lines.end(); ++line) {
    table.rows.push_back({line->number, std::string(line->text), fields_of(line->text, separator)});
  }
  return table;
}

}  // namespace parsimap
