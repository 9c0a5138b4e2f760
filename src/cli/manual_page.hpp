// The manual page of the program.
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"

namespace parsimap {

// parsimap(1) in the man macros of groff: every command with its arguments and options, the common options, exit codes.
std::string manual_page(const std::vector<CommandSyntax>& commands);

}  // namespace parsimap
