// The text of JSON files, before anything parses it.
#pragma once

#include <string>

namespace parsimap {

// The text of a JSON file that is not empty. ConfigError, which names the file with its role, as in "options file":
// there is none, it is empty, it cannot be read, is no regular file or has more than kLargestConfiguration bytes.
std::string read_json_text(const std::string& path, const std::string& role);

// ConfigError where lists and objects are nested more than 100 deep. What works on documents calls itself for every
// level, and would exhaust its stack; no file of this program needs more than a dozen levels.
void check_json_nesting(const std::string& text);

}  // namespace parsimap
