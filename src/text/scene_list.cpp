#include "parsimap/text/scene_list.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "parsimap/core/error.hpp"

#include "headed_table.hpp"

namespace parsimap {
namespace {

// True for names as HDF5:"a.h5"://cube or https://..., which are no paths. A single letter is no driver.
bool has_prefix(const std::string& name) {
  const auto end = std::find_if(name.begin(), name.end(), [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '_';
  });
  return end != name.end() && *end == ':' && end - name.begin() > 1;
}

std::string beside(const std::string& list, const std::string& name) {
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

}  // namespace parsimap
