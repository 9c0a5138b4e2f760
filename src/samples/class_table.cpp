#include "parsimap/samples/class_table.hpp"

#include <algorithm>
#include <set>

namespace parsimap {

std::vector<std::string> colour_classes(ClassTable& classes, const std::vector<ColourRule>& rules) {
  std::vector<std::string> without_class;
  std::set<int> named;
  std::vector<const ColourRule*> by_code;
  for (const ColourRule& rule : rules) {
    const auto entry =
        std::find_if(classes.begin(), classes.end(), [&](const auto& one) { return one.name == rule.name; });
    if (entry == classes.end()) {
      by_code.push_back(&rule);
      continue;
    }
    entry->colour = rule.colour;
    named.insert(entry->code);
  }
  for (const ColourRule* rule : by_code) {
    const auto entry =
        std::find_if(classes.begin(), classes.end(), [&](const auto& one) { return one.code == rule->code; });
    if (entry == classes.end()) {
      without_class.push_back(rule->name.empty() ? std::to_string(*rule->code) : rule->name);
    } else if (!named.contains(entry->code)) {
      entry->colour = rule->colour;
    }
  }
  return without_class;
}

}  // namespace parsimap
