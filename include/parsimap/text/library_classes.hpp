// The classes of the spectra of a library, where it has none itself.
#pragma once

#include <map>
#include <string>

#include "parsimap/text/text_tables.hpp"

namespace parsimap {

// The class of every name in a table with the columns `name` and `class` and a header that names them, in any order and
// among others, separated by commas, semicolons or tabs. DataError, which names the line: no such header, a line
// without a name or a class, a name twice with different classes; also a file that cannot be read or has no line.
std::map<std::string, std::string> read_library_classes(const std::string& path, const Warn& warn = {});

}  // namespace parsimap
