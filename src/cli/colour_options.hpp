// The option of commands that give classes their colours.
#pragma once

#include <vector>

#include "parsimap/samples/class_table.hpp"

#include "command_line.hpp"
#include "console.hpp"

namespace parsimap {

// --colours FILE: JSON by its extension, otherwise lines of text.
OptionSyntax colour_option();
// Nothing without the option. ConfigError as read_colour_file() and read_colour_list().
std::vector<ColourRule> colour_rules(const OptionValues& values);

// Colours the classes, and warns of rules that mean none of them.
void apply_colours(const std::vector<ColourRule>& rules, ClassTable& classes, Console& console);

}  // namespace parsimap
