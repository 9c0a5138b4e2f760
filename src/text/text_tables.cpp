#include "parsimap/text/text_tables.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/core/text_table.hpp"

#include "headed_table.hpp"

namespace parsimap {

constexpr int kLargestChannel = 255;

// Takes the next field and the separator behind it off `line`, which begins with a field. A comma at the end is left,
// for it announces another field.
static std::string_view next_field(std::string_view& line) {
  const std::string_view field = line.substr(0, line.find_first_of(" \t,"));
  line = trimmed(line.substr(field.size()));
  if (line.size() > 1 && line.front() == ',') {
    line = trimmed(line.substr(1));
  }
  return field;
}

// Appends the numbers of a line to `values`, and returns how many they are.
static Index append_numbers(const std::string& path, const Line& line, std::vector<double>& values) {
  // Where semicolons separate, commas are decimal signs.
  std::vector<std::string> fields;
  if (line.text.find(';') != std::string_view::npos) {
    fields = fields_of(line.text, ';');
  } else {
    for (std::string_view rest = line.text; !rest.empty() && (fields.empty() || !fields.back().empty());) {
      fields.emplace_back(next_field(rest));
    }
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string& field = fields[i];
    const std::optional<double> value = parse_number<double>(with_decimal_point(field).value_or(field));
    if (!value) {
      throw DataError(place(path, line.number) + ", column " + std::to_string(i + 1) + ": '" + field +
                      "' is not a number");
    }
    values.push_back(*value);
  }
  return static_cast<Index>(fields.size());
}

// Takes a whole number from 0 to `largest`, and the separator behind it, off `line`; nothing where there is none.
static std::optional<int> take_number(std::string_view& line, int largest) {
  const std::string_view field = line.substr(0, line.find_first_of(" \t,:;"));
  const std::optional<int> value = parse_number<int>(field);
  if (!value || *value < 0 || *value > largest) {
    return std::nullopt;
  }
  line = trimmed(line.substr(field.size()));
  if (!line.empty() && std::string_view(",:;").find(line.front()) != std::string_view::npos) {
    line = trimmed(line.substr(1));
  }
  return value;
}

// Nothing for a line that is not `code red green blue [opacity] [name]`.
static std::optional<ColourRule> parse_rule(std::string_view line) {
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
  // What is left is the name, with or without quotes.
  rule.name = fields_of(line, '\0').front();
  return rule.code ? std::optional(rule) : std::nullopt;
}

// Comments and settings, and the header that a spreadsheet has: "value;red;green;blue;name".
static bool has_no_colour(std::string_view line) {
  const std::string text = lower_case(line);
  return text.starts_with("#") || text.starts_with("interpolation:") || text.starts_with("nv ") ||
         text.starts_with("default ") || text.starts_with("sep=") ||
         (text.find("red") < text.find("green") && text.find("green") < text.find("blue"));
}

static std::string colour_text(const std::string& path, const Warn& warn) {
  try {
    return text_of_names(path, kLargestConfiguration, warn);
  } catch (const DataError& error) {
    throw ConfigError(error.what());
  }
}

Matrix read_number_table(const std::string& path) {
  const std::string text = text_of_names(path, UINTMAX_MAX, {});
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
  bool header = false;
  for (const Line& line : lines) {
    const TextTable row = read_text_table(line.text);
    if (row.rows.empty()) {
      continue;  // the line that names the separator
    }
    const std::vector<std::string>& fields = row.rows.front().fields;
    if (fields.size() < 2) {
      throw DataError(place(path, line.number) + ": '" + std::string(line.text) +
                      "' must be a class and a number, as in 'forest,200'");
    }
    // A first line whose last field is no number is taken as a header; in any other line it is a mistake.
    const std::string& number = fields.back();
    const std::optional<double> count = parse_number<double>(number);
    if (!count && counts.empty() && !std::exchange(header, true)) {
      continue;
    }
    constexpr double kMost = 1e15;  // Programs that have only real numbers write 20.0.
    if (!count || !(*count >= 0 && *count <= kMost) || *count != std::floor(*count)) {
      throw DataError(place(path, line.number) + ": '" + number + "' is not a whole number");
    }
    // The last separator divides a line, because names of classes may contain commas and numbers do not.
    const std::string name(fields.size() == 2 ? fields.front()
                                              : trimmed(line.text.substr(0, line.text.find_last_of(",;\t|"))));
    if (std::ranges::any_of(counts, [&](const auto& entry) { return entry.first == name; })) {
      throw DataError(place(path, line.number) + ": class '" + name + "' is there twice");
    }
    counts.emplace_back(name, static_cast<Index>(*count));
  }
  if (counts.empty()) {
    throw DataError(path + " holds no class with a number");
  }
  return counts;
}

ClassRules read_class_rules(const std::string& path, const Warn& warn) {
  const HeadedTable table = read_headed_table(path, {"from", "to"}, "from,to", warn, "has no rule");
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

// "the column scene", "the columns from and to".
static std::string columns_text(const std::vector<std::string>& names) {
  return (names.size() == 1 ? "the column " : "the columns ") + listed(names, " and ");
}

std::string text_of_names(const std::string& path, std::uintmax_t largest, const Warn& warn) {
  DecodedText decoded = decoded_text(read_text_file(path, largest));
  if (decoded.text.find('\0') != std::string::npos) {
    throw DataError(path + " holds bytes that are zero, which no text has");
  }
  if (decoded.latin1 && warn) {
    warn(path + " is not UTF-8; it was read as Latin-1 (ISO-8859-1)");
  }
  return std::move(decoded.text);
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  // Empty lines are skipped but counted, so that messages have the line numbers of an editor.
  for (Index number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (!trimmed(line).empty()) {
      lines.push_back({number, trimmed(line)});
    }
  }
  return lines;
}

std::string place(const std::string& path, Index line) { return path + ": line " + std::to_string(line); }

std::optional<std::size_t> HeadedTable::column(const std::string& name) const {
  const auto found = std::ranges::find(header, lower_case(name), lower_case);
  return found == header.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - header.begin()));
}

HeadedTable read_headed_table(const std::string& path, const std::vector<std::string>& needed,
                              const std::string& example, const Warn& warn, const std::string& lack) {
  TextTable content = read_text_table(text_of_names(path, kLargestConfiguration, warn));
  if (content.rows.empty()) {
    throw DataError(path + " is empty; it must be a table with " + columns_text(needed));
  }
  const TextTable::Row& first = content.rows.front();
  HeadedTable table{first.fields, {content.rows.begin() + 1, content.rows.end()}};
  for (const std::string& name : needed) {
    if (!table.column(name)) {
      throw DataError(place(path, first.line) + ": '" + first.text + "' must be a header with " + columns_text(needed) +
                      ", as in '" + example + "'");
    }
  }
  if (table.rows.empty()) {
    throw DataError(path + " " + lack + " below its header");
  }
  return table;
}

// True for names as HDF5:"a.h5"://cube or https://..., which are no paths. A single letter is no driver.
static bool has_prefix(const std::string& name) {
  const auto end = std::ranges::find_if(
      name, [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '_'; });
  return end != name.end() && *end == ':' && end - name.begin() > 1;
}

static std::string beside(const std::string& list, const std::string& name) {
  // Relative names in a list are relative to the folder of the list, not to that in which the program runs.
  // An absolute name replaces the folder.
  return has_prefix(name) ? name : (std::filesystem::path(list).parent_path() / name).string();
}

static std::optional<std::string> field_at(const std::vector<std::string>& fields, std::size_t place) {
  return place < fields.size() && !fields[place].empty() ? std::optional(fields[place]) : std::nullopt;
}

// The field of a row, with its place; nothing where it is empty or missing.
static std::optional<std::string> named_in(const HeadedTable& table, const HeadedTable::Row& row,
                                           const std::string& column, const std::string& list) {
  const std::optional<std::size_t> place = table.column(column);
  const std::optional<std::string> name = place ? field_at(row.fields, *place) : std::nullopt;
  return name ? std::optional(beside(list, *name)) : std::nullopt;
}

std::vector<SceneListEntry> read_scene_list(const std::string& path, const Warn& warn) {
  const HeadedTable table = read_headed_table(path, {"scene"}, "scene,labels", warn, "names no scene");
  for (const std::string& column : table.header) {
    // By other names, such as masks or label_file, these would be left aside without a word.
    for (const auto& [beginning, known] : {std::pair("mask", "mask"), std::pair("label", "labels")}) {
      if (lower_case(column).starts_with(beginning) && !table.column(known)) {
        throw DataError(path + ": the column '" + column + "' must be called '" + known + "'");
      }
    }
  }
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
  const HeadedTable table = read_headed_table(path, {"name", "class"}, "name,class", warn, "has no line");
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
  return classes;
}

}  // namespace parsimap
