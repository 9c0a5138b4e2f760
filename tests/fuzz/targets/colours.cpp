// The colours of classes, as JSON and as lines of text.
#include <string>
#include <vector>

#include "parsimap/json/json_text.hpp"
#include "parsimap/text/text_tables.hpp"

#include "fuzz/target.hpp"

namespace parsimap::fuzz {
namespace {

void check(const std::vector<ColourRule>& rules) {
  require(!rules.empty(), "a file that is accepted has colours");
  for (const ColourRule& rule : rules) {
    require(!rule.code || *rule.code > 0, "0 is no class");
  }
  ClassTable classes = {{1, "forest", {}}, {2, "1", {}}, {7, "water", {}}};
  require(colour_classes(classes, rules).size() <= rules.size(), "a rule is left over once at most");
}

}  // namespace

void run_input(std::string_view input) {
  static MemoryFile file;
  const std::string& path = file.hold(input);
  accepted([&] { check(read_colour_file(path)); });
  accepted([&] { check(read_colour_list(path)); });
}

}  // namespace parsimap::fuzz
