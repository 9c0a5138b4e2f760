#include "parsimap/text/text_tables.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"

#include "headed_table.hpp"

namespace parsimap {

namespace {

constexpr int kLargestChannel = 255;

// Takes the next field and the separator behind it off `line`, which begins with a field. A comma at the end is left,
// for it announces another field.
std::string_view next_field(std::string_view& line) {
  const std::string_view field = line.substr(0, line.find_first_of(" \t,"));
  line = trimmed(line.substr(field.size()));
  if (line.size() > 1 && line.front() == ',') {
    line = trimmed(line.substr(1));
  }
  return field;
}

// Appends the numbers of a line to `values`, and returns how many they are.
Index append_numbers(const std::string& path, const Line& line, std::vector<double>& values) {
  Index column = 0;
  for (std::string_view rest = line.text; !rest.empty();) {
    ++column;
    const std::string_view field = next_field(rest);
    const std::optional<double> value = parse_number<double>(field);
    if (!value) {
      throw DataError(place(path, line.number) + ", column " + std::to_string(column) + ": '" + std::string(field) +
                      "' is not a number");
    }
    values.push_back(*value);
  }
  return column;
}

std::string unquoted(std::string_view text) {
  // Quotes around a name are removed; they protect commas in tables of spreadsheets.
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

// Takes a whole number from 0 to `largest`, and the separator behind it, off `line`; nothing where there is none.
std::optional<int> take_number(std::string_view& line, int largest) {
  const std::string_view field = line.substr(0, line.find_first_of(" \t,:"));
  const std::optional<int> value = parse_number<int>(field);
  if (!value || *value < 0 || *value > largest) {
    return std::nullopt;
  }
  line = trimmed(line.substr(field.size()));
  if (!line.empty() && (line.front() == ',' || line.front() == ':')) {
    line = trimmed(line.substr(1));
  }
  return value;
}

// Nothing for a line that is not `code red green blue [opacity] [name]`.
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
  // An opacity between the colour and the name, as in colour files of QGIS, is read and ignored.
  take_number(line, kLargestChannel);
  rule.name = line;
  return rule.code ? std::optional(rule) : std::nullopt;
}

bool has_no_colour(std::string_view line) {
  return line.starts_with("#") || line.starts_with("INTERPOLATION:") || line.starts_with("nv ") ||
         line.starts_with("default ");
}

std::string colour_text(const std::string& path, const Warn& warn) {
  try {
    return text_of_names(path, kLargestConfiguration, warn);
  } catch (const DataError& error) {
    throw ConfigError(error.what());
  }
}

}  // namespace

Matrix read_number_table(const std::string& path) {
  const std::string text = read_text_file(path);
  const std::vector<Line> lines = lines_of(text);
  if (lines.empty()) {
    throw DataError(path + " holds no numbers");
  }
  std::vector<double> values;
  // The first line decides the number of columns. Values are collected row by row and copied to the matrix at the end.
  const Index columns = append_numbers(path, lines.front(), values);
  for (auto line = lines.begin() + 1; line != lines.end(); ++line) {
    const Index count = append_numbers(path, *line, values);
    if (count != columns) {
      throw DataError(place(path, line->number) + " has " + std::to_string(count) + " numbers; line " +
                      std::to_string(lines.front().number) + " has " + std::to_string(columns));
    }
  }
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  // Values are stored row by row; the map is copied to the storage order of Matrix.
  return Eigen::Map<const RowMajor>(values.data(), static_cast<Index>(lines.size()), columns);
}

std::vector<std::string> read_label_lines(const std::string& path, const Warn& warn) {
  const std::string text = text_of_names(path, UINTMAX_MAX, warn);
  std::vector<std::string> labels;
  for (const Line& line : lines_of(text)) {
    // Empty lines are skipped by lines_of(). A gap in the line numbers would shift all labels behind it against the
    // samples, so that it is an error; empty lines at the end are allowed.
    const auto expected = static_cast<Index>(labels.size()) + 1;
    if (line.number != expected) {
      throw DataError(path + ": line " + std::to_string(expected) + " is empty; every sample needs a label");
    }
    labels.emplace_back(line.text);
  }
  if (labels.empty()) {
    throw DataError(path + " holds no labels");
  }
  return labels;
}

std::vector<std::pair<std::string, Index>> read_class_counts(const std::string& path, const Warn& warn) {
  const std::string text = text_of_names(path, kLargestConfiguration, warn);
  std::vector<Line> lines = lines_of(text);
  std::erase_if(lines, [](const Line& line) { return line.text.starts_with("#"); });
  std::vector<std::pair<std::string, Index>> counts;
  for (const Line& line : lines) {
    // The last separator divides a line, because names of classes may contain commas and numbers do not.
    const std::size_t separator = line.text.find_last_of(",;\t");
    if (separator == std::string_view::npos) {
      throw DataError(place(path, line.number) + ": '" + std::string(line.text) +
                      "' must be a class and a number, as in 'forest,200'");
    }
    // A first line whose second field is no number is taken as a header; in any other line it is a mistake.
    const std::string number(trimmed(line.text.substr(separator + 1)));
    const std::optional<Index> count = parse_number<Index>(number);
    if (!count || *count < 0) {
      if (line.number == lines.front().number) {
        continue;  // The first line is a header.
      }
      throw DataError(place(path, line.number) + ": '" + number + "' is not a whole number");
    }
    const std::string name = unquoted(trimmed(line.text.substr(0, separator)));
    if (std::ranges::any_of(counts, [&](const auto& entry) { return entry.first == name; })) {
      throw DataError(place(path, line.number) + ": class '" + name + "' is there twice");
    }
    counts.emplace_back(name, *count);
  }
  if (counts.empty()) {
    throw DataError(path + " holds no class with a number");
  }
  return counts;
}

ClassRules read_class_rules(const std::string& path, const Warn& warn) {
  const HeadedTable table = read_headed_table(path, {"from", "to"}, "from,to", warn);
  const std::size_t from = *table.column("from");
  const std::size_t to = *table.column("to");
  ClassRules rules{path, {}};
  for (const HeadedTable::Row& row : table.rows) {
    // An empty `to` is allowed and means unlabelled; an empty `from` or a missing field is a mistake.
    if (row.fields.size() <= std::max(from, to) || row.fields[from].empty()) {
      throw DataError(place(path, row.line) + ": '" + row.text +
                      "' must be a class and what it becomes, as in 'oak,forest', or 'cloud,' for unlabelled");
    }
    if (std::ranges::any_of(rules.rules, [&](const auto& rule) { return rule.from == row.fields[from]; })) {
      throw DataError(place(path, row.line) + ": class '" + row.fields[from] + "' is there twice");
    }
    rules.rules.push_back({row.fields[from], row.fields[to]});
  }
  if (rules.rules.empty()) {
    throw DataError(path + " has no rule below its header");
  }
  return rules;
}

std::vector<ColourRule> read_colour_list(const std::string& path, const Warn& warn) {
  const std::string text = colour_text(path, warn);
  std::vector<ColourRule> rules;
  for (const Line& line : lines_of(text)) {
    if (has_no_colour(line.text)) {
      continue;
    }
    const std::optional<ColourRule> rule = parse_rule(line.text);
    if (!rule) {
      throw ConfigError(
          place(path, line.number) + " is '" + std::string(line.text) +
          "'; it must be a code from 0 to 65535, red, green and blue from 0 to 255, and if wanted a name");
    }
    // Code 0 is unclassified and has no colour of its own.
    if (rule->code != 0) {
      rules.push_back(*rule);
    }
  }
  if (rules.empty()) {
    throw ConfigError(path + " holds no colours");
  }
  return rules;
}

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// The separator of a line that has one.
char separator_of(std::string_view line) {
  // The first of comma, semicolon and tab in the header decides, and a header of one column has none.
  const std::size_t place = line.find_first_of(",;\t");
  return place == std::string_view::npos ? ',' : line[place];
}

// "the column scene", "the columns from and to".
std::string columns_text(const std::vector<std::string>& names) {
  return (names.size() == 1 ? "the column " : "the columns ") + listed(names, " and ");
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
  // Empty lines are skipped but counted, so that messages have the line numbers of an editor.
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
  // Fields may be quoted as in RFC 4180. Within quotes the separator has no meaning, and two quotes stand for one. A
  // quote may begin anywhere in a field; an unclosed one ends with the line.
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
  const auto found = std::ranges::find(header, name);
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

namespace {

// True for names as HDF5:"a.h5"://cube or https://..., which are no paths. A single letter is no driver.
bool has_prefix(const std::string& name) {
  const auto end = std::ranges::find_if(
      name, [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '_'; });
  return end != name.end() && *end == ':' && end - name.begin() > 1;
}

std::string beside(const std::string& list, const std::string& name) {
  // Relative names in a list are relative to the folder of the list, not to that in which the program runs.
  if (has_prefix(name)) {
    return name;
  }
  return (std::filesystem::path(list).parent_path() / name).string();  // an absolute name replaces the folder
}

// The field of a row, with its place; nothing where it is empty or missing.
std::optional<std::string> named_in(const HeadedTable& table, const HeadedTable::Row& row, const std::string& column,
                                    const std::string& list) {
  const std::optional<std::size_t> place = table.column(column);
  if (!place || *place >= row.fields.size() || row.fields[*place].empty()) {
    return std::nullopt;
  }
  return beside(list, row.fields[*place]);
}

std::optional<std::string> field_at(const std::vector<std::string>& fields, std::size_t place) {
  return place < fields.size() && !fields[place].empty() ? std::optional(fields[place]) : std::nullopt;
}

}  // namespace

std::vector<SceneListEntry> read_scene_list(const std::string& path, const Warn& warn) {
  const HeadedTable table = read_headed_table(path, {"scene"}, "scene,labels", warn);
  std::vector<SceneListEntry> entries;
  std::map<std::string, Index> line_of;
  for (const HeadedTable::Row& row : table.rows) {
    const std::optional<std::string> scene = named_in(table, row, "scene", path);
    if (!scene) {
      throw DataError(place(path, row.line) + ": '" + row.text + "' names no scene");
    }
    // A scene that is listed twice would be trained on or mapped twice; the message names both lines.
    const auto [earlier, is_new] = line_of.emplace(*scene, row.line);
    if (!is_new) {
      throw DataError(place(path, row.line) + ": scene '" + *scene + "' is already in line " +
                      std::to_string(earlier->second));
    }
    entries.push_back({*scene, named_in(table, row, "labels", path), named_in(table, row, "mask", path)});
  }
  if (entries.empty()) {
    throw DataError(path + " names no scene below its header");
  }
  return entries;
}

SceneListEntry parse_scene_entry(const std::string& text) {
  const std::vector<std::string> fields = fields_of(text, ',');
  if (fields.size() > 3 || fields.front().empty()) {
    throw DataError("'" + text + "' must be a scene, its labels and, if wanted, its mask, as in 'a.tif,a.gpkg'");
  }
  return {fields.front(), field_at(fields, 1), field_at(fields, 2)};
}

std::map<std::string, std::string> read_library_classes(const std::string& path, const Warn& warn) {
  const HeadedTable table = read_headed_table(path, {"name", "class"}, "name,class", warn);
  const std::size_t name = *table.column("name");
  const std::size_t entry = *table.column("class");
  std::map<std::string, std::string> classes;
  for (const HeadedTable::Row& row : table.rows) {
    if (row.fields.size() <= std::max(name, entry) || row.fields[name].empty() || row.fields[entry].empty()) {
      throw DataError(place(path, row.line) + ": '" + row.text +
                      "' must be the name of a spectrum and its class, as in 'asphalt 1,road'");
    }
    const auto [known, added] = classes.emplace(row.fields[name], row.fields[entry]);
    if (!added && known->second != row.fields[entry]) {
      throw DataError(place(path, row.line) + ": spectrum '" + row.fields[name] + "' has the class '" + known->second +
                      "' in a line before");
    }
  }
  if (classes.empty()) {
    throw DataError(path + " has no line below its header");
  }
  return classes;
}

}  // namespace parsimap
