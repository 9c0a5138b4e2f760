// The table of --sampling byclass:FILE.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/text/text_tables.hpp"

#include "fuzz/target.hpp"

namespace parsimap::fuzz {

void run_input(std::string_view input) {
  static MemoryFile file;
  std::vector<std::pair<std::string, Index>> counts;
  if (!accepted([&] { counts = read_class_counts(file.hold(input)); })) {
    return;
  }
  std::set<std::string> names;
  std::string written;
  for (const auto& [name, count] : counts) {
    require(names.insert(name).second && count >= 0, "a class has one number");
    written += "\"" + name + "\"," + std::to_string(count) + "\n";
  }
  require(read_class_counts(file.hold(written)) == counts, "a table reads back the same");
}

}  // namespace parsimap::fuzz
