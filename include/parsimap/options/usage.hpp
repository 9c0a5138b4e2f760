// The whole command line described for other programs and for readers. All texts are made of the descriptions of the
// commands, of which there is at least one; the common options are those of the first.
#pragma once

#include <string>
#include <vector>

#include "parsimap/options/option.hpp"

namespace parsimap {

// For programs that call this one, such as a GIS with its dialogs.
std::string usage_json(const std::vector<CommandSyntax>& commands);
// For man(1), in groff.
std::string manual_page(const std::vector<CommandSyntax>& commands);
// A script by which bash completes command lines.
std::string bash_completion(const std::vector<CommandSyntax>& commands);

}  // namespace parsimap
