// The one reader of tables of text, however a spreadsheet, a statistics program or an editor saved them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Appends the character of this number of Unicode, in UTF-8.
void append_character(std::string& text, std::int32_t code);

struct DecodedText {
  std::string text;     // UTF-8, without a byte order mark
  bool latin1 = false;  // the bytes were no Unicode, and were taken for ISO-8859-1
};

// The text that bytes stand for: UTF-8; UTF-16 of either byte order, which a byte order mark or the zeros of its first
// characters show; anything else is taken for ISO-8859-1.
DecodedText decoded_text(std::string bytes);

// Takes the next line, without its end (\n, \r\n or \r), off `text`.
std::string_view take_line(std::string_view& text);

struct TextTable {
  struct Row {
    Index line = 0;    // in the text where the row begins, from 1
    std::string text;  // as it stands there, without white space around it
    std::vector<std::string> fields;
  };

  std::vector<Row> rows;  // those with a field that is not empty, a header among them
};

// The rows of a table, without comments (#) and titles of a single field above its header; a comment may be the header,
// as in the tables of numpy. A line `sep=X` before them names the separator, as Excel reads and writes it. Otherwise it
// is the first of tab, semicolon, comma and bar that the first row has outside of quotes: where the decimal sign is a
// comma, fields are separated by semicolons. Blanks separate where they alone divide all rows alike, as those of R,
// whose rows may begin with a name that the header lacks, and of numpy. Fields are without white space around them and
// without their quotes, in which a quote is doubled and a line may end (RFC 4180). Columns of numbers are written in
// one way afterwards: with a decimal point where the table has decimal commas, and empty where is_missing_number().
TextTable read_text_table(std::string_view text);

// The fields of a single line.
std::vector<std::string> fields_of(std::string_view line, char separator);

// A field of a table, in quotes where a reader of such tables would need them, or always.
std::string csv_field(const std::string& text, bool always = false);

// The table as every reader of such tables understands it: commas, and quotes where needed and in `quoted` columns.
std::string csv_text(const TextTable& table, const std::vector<bool>& quoted = {});

// True for an empty field and for the words by which programs say that there is no number: NA, NaN, NULL, #N/A, N/A.
bool is_missing_number(const std::string& field);

// A number that may have a decimal comma, with a decimal point; nothing for other texts.
std::optional<std::string> with_decimal_point(const std::string& text);

}  // namespace parsimap
