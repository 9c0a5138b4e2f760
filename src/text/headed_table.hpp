// Lines of text files, and tables whose header names their columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsimap/core/text_table.hpp"
#include "parsimap/text/text_tables.hpp"

namespace parsimap {

struct Line {
  Index number;           // from 1
  std::string_view text;  // without the space around it
};

// The text of a file that holds names, as UTF-8. DataError: zero bytes once decoded, and as read_text_file().
std::string text_of_names(const std::string& path, std::uintmax_t largest, const Warn& warn);

// The lines of a text that are not empty; they refer to it.
std::vector<Line> lines_of(std::string_view text);

// "<path>: line 3".
std::string place(const std::string& path, Index line);

struct HeadedTable {
  using Row = TextTable::Row;

  // The place of a column in the fields, whose name counts without regard to case; nothing where the header lacks it.
  [[nodiscard]] std::optional<std::size_t> column(const std::string& name) const;

  std::vector<std::string> header;
  std::vector<Row> rows;  // those that are not empty
};

// A table with a header that names its columns, in any order and among others. `example` is a header as it should be,
// and `lack` what a table without rows is said to lack, as in "has no rule". DataError: an empty file, no rows, a
// header that lacks one of the columns `needed`, and as text_of_names().
HeadedTable read_headed_table(const std::string& path, const std::vector<std::string>& needed,
                              const std::string& example, const Warn& warn, const std::string& lack);

}  // namespace parsimap
