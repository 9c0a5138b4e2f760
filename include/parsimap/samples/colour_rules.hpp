// Colours that a user chooses for classes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// The class meant is the one of that name, or where there is none the one of that code.
struct ColourRule {
  std::string name;         // may be empty
  std::optional<int> code;  // 1 .. 65535
  Colour colour{};
};

// Colours the classes; where several rules mean one class, a name counts more than a code and otherwise the last.
// Returns the names, or else the codes, of rules without a class.
std::vector<std::string> colour_classes(ClassTable& classes, const std::vector<ColourRule>& rules);

}  // namespace parsimap
