
#include "headed_table.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/text/text_tables.hpp"

namespace parsimap {

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

namespace {

// True for names as HDF5:"a.h5"://cube or https://..., which are no paths. A single letter is no driver.
bool has_prefix(const std::string& name) {
  const auto end = std::find_if(name.begin(), name.end(), [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '_';
  });
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
