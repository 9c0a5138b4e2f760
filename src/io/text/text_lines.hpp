// Text files line by line.
#pragma once

#include <string>
#include <string_view>

namespace parsimap {

// The whole of a file. DataError when it cannot be read.
std::string file_text(const std::string& path);

// Takes the next line off `text`, and trims it.
std::string_view next_line(std::string_view& text);

}  // namespace parsimap
