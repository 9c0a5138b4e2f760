// The classes of a problem: what a map value means.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parsimap {

// Red, green and blue, 0 to 255 each.
using Colour = std::array<std::uint8_t, 3>;

// Of a class: maps store codes in two bytes.
constexpr int kLargestCode = 65535;

struct ClassEntry {
  int code = 0;  // the value in maps, 1 .. 65535; 0 always means unlabelled or unclassified
  std::string name;
  std::optional<Colour> colour;  // where the labels carry one
  bool operator==(const ClassEntry&) const = default;
};

// In ascending order of code; codes and names are unique.
using ClassTable = std::vector<ClassEntry>;

// A colour that a user chooses for a class. The class meant is the one of that name, or where there is none the one of
// that code.
struct ColourRule {
  std::string name;         // may be empty
  std::optional<int> code;  // 1 .. 65535
  Colour colour{};
};

// Colours the classes; where several rules mean one class, a name counts more than a code and otherwise the last.
// Returns the names, or else the codes, of rules without a class.
std::vector<std::string> colour_classes(ClassTable& classes, const std::vector<ColourRule>& rules);

}  // namespace parsimap
