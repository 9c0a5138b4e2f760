// The command line as JSON, for programs that build user interfaces on it.
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"

namespace parsimap {

// {"program", "version", "commands": [...], "common_options": [...]}. A command has "name", "summary", "description",
// "arguments" ("name", "description", and "choices" where only these are allowed) and "options". An option has "name",
// "kind" (flag, integer, text, list) and "description"; "value" (as in "FILE"), "default", "choices" (one that ends in
// ':' is a beginning), "least" and "most" where it has them.
std::string usage_json(const std::vector<CommandSyntax>& commands);

}  // namespace parsimap
