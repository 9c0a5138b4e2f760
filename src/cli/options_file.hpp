// Options from a JSON file: one object whose keys are the long option names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace parsimap {

// Flags are true or false, integers are numbers, texts are strings, lists are arrays of strings; null means unset.
// No key is `config`: an options file may come from somebody else, and options of GDAL let a scene run code.
// ConfigError with the file and the JSON path: unreadable, not JSON, not an object, a key that is twice there or no
// option, another type, a value out of range, as in
// "opts.json: /threads is "two"; it must be an integer of at least 0".
std::map<std::string, OptionValue> read_options_file(const std::string& path, const std::vector<OptionSyntax>& options);

}  // namespace parsimap
