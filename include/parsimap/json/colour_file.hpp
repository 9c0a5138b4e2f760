// Colours of classes as JSON: an object of names or codes and "#rrggbb".
#pragma once

#include <string>
#include <vector>

#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// A key of digits alone is a name, or else a code.
// ConfigError: the file cannot be read, is not JSON (with the line and column), is no object or an empty one, or has a
// colour that is not "#rrggbb".
std::vector<ColourRule> read_colour_file(const std::string& path);

}  // namespace parsimap
