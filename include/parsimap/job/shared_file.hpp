// A file that several processes, on several machines too, would write alike: the first one counts.
#pragma once

#include <string>

namespace parsimap {

// Writes the file where there is none by that name, and leaves one that is there. It appears whole, whatever the other
// processes do; what a killed process leaves is a hidden file beside it. IoError with the system's reason.
void write_if_absent(const std::string& path, const std::string& text);
// The same, but replaces a file that is there.
void write_anew(const std::string& path, const std::string& text);

}  // namespace parsimap
