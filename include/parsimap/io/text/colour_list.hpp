// Colours of classes as text, as GIS programs keep them (.clr, .txt): one class a line, `code red green blue [name]`.
#pragma once

#include <string>
#include <vector>

#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// Fields are separated by spaces, tabs, commas or colons; the name is the rest of the line. A whole number up to 255
// behind blue is an opacity, which is passed over. Empty lines, comments (#) and code 0 are passed over, and so are
// INTERPOLATION: of QGIS and nv and default of GRASS.
// ConfigError: the file cannot be read or has no colour; a line without a code from 0 to 65535 and three channels from
// 0 to 255 (the file and the line are named).
std::vector<ColourRule> read_colour_list(const std::string& path);

}  // namespace parsimap
