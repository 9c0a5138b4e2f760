#include "parsimap/text/library_classes.hpp"

#include "parsimap/core/error.hpp"

#include "headed_table.hpp"

namespace parsimap {

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
