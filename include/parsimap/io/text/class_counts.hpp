// Tables of a number per class.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Name (or code) and number of every class, in the order of the file: one class per line, its number behind the last
// comma, semicolon or tab. A name may be in double quotes; lines that begin with # are passed over, and so is a first
// line without a number, which is a header.
// DataError with the line: no separator, no whole number, a class twice; and a file that cannot be read or has no
// class.
std::vector<std::pair<std::string, Index>> read_class_counts(const std::string& path);

}  // namespace parsimap
