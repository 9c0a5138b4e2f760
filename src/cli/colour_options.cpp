#include "colour_options.hpp"

#include <filesystem>

#include "parsimap/io/json/colour_file.hpp"
#include "parsimap/io/text/colour_list.hpp"

namespace parsimap {

OptionSyntax colour_option() {
  return {.name = "colours",
          .kind = OptionKind::text,
          .value_name = "FILE",
          .help =
              "Colours of classes: a .json object of names or codes and \"#rrggbb\", or lines 'code red green blue "
              "[name]'"};
}

std::vector<ColourRule> colour_rules(const OptionValues& values) {
  const std::optional<std::string> path = values.text("colours");
  if (!path) {
    return {};
  }
  return std::filesystem::path(*path).extension() == ".json" ? read_colour_file(*path) : read_colour_list(*path);
}

void apply_colours(const std::vector<ColourRule>& rules, ClassTable& classes, Console& console) {
  std::string absent;
  for (const std::string& name : colour_classes(classes, rules)) {
    absent += (absent.empty() ? "'" : ", '") + name + "'";
  }
  if (!absent.empty()) {
    console.warning("colours are given for classes that do not exist: " + absent);
  }
}

}  // namespace parsimap
