// The classes of a problem: what a map value means.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parsimap {

// Red, green, blue.
using Colour = std::array<std::uint8_t, 3>;

struct ClassEntry {
  int code = 0;  // the value in maps, 1 .. 65535; 0 always means unlabelled or unclassified
  std::string name;
  std::optional<Colour> colour;  // where the labels carry one
  bool operator==(const ClassEntry&) const = default;
};

// In ascending order of code; codes and names are unique.
using ClassTable = std::vector<ClassEntry>;

}  // namespace parsimap
