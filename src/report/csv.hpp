// Lines of comma-separated values, RFC 4180.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace parsimap {

// The shortest text that reads back as the same double; empty without a value.
std::string csv_number(std::optional<double> value);

// Fields quoted where they have to be, CR LF at the end. Rows shorter than `columns` are filled up: RFC 4180 asks for
// as many fields in every line.
std::string csv_line(std::vector<std::string> fields, std::size_t columns);

}  // namespace parsimap
