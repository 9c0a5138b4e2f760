// Completion of the program's command line in bash.
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"

namespace parsimap {

// A script to be sourced: it completes commands, options, the values of options that have choices, names of files and
// folders for FILE, MAP and DIR values and for arguments; nothing where a number or a free text is expected.
std::string bash_completion(const std::vector<CommandSyntax>& commands);

}  // namespace parsimap
