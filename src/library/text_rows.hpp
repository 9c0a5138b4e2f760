// Text files of this folder: lines, and tables whose fields may be in quotes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parsimap {

// The text of a file, in UTF-8: what is not, is taken for ISO-8859-1. Without a byte order mark. DataError as
// read_text_file().
std::string library_text(const std::string& path);

// The beginning of a file, at most `bytes`; empty where it is no regular file or cannot be read.
std::string file_head(const std::string& path, std::size_t bytes = 4096);

// Takes the next line, without its end (\n, \r\n or \r), off `text`.
std::string_view take_line(std::string_view& text);

// The separator of a header: tab, semicolon or comma, in this order, whichever it has; else a comma.
char separator_of_header(std::string_view header);

// The fields of a table, line by line: without white space around them and without their quotes, in which a quote is
// doubled and the line may end. Empty lines do not count.
std::vector<std::vector<std::string>> table_rows(std::string_view text, char separator);

}  // namespace parsimap
