#include "parsimap/core/text_table.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <regex>
#include <utility>

#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// Whether the bytes are UTF-16, and in which order. Most characters of a table are ASCII, of which every second byte is
// zero; a text in UTF-8 or Latin-1 has no zeros.
std::optional<bool> big_endian_utf16(std::string_view bytes) {
  const bool two = bytes.size() > 1;
  const bool big = bytes.starts_with("\xfe\xff") || (two && bytes[0] == '\0' && bytes[1] != '\0');
  const bool little = bytes.starts_with("\xff\xfe") || (two && bytes[0] != '\0' && bytes[1] == '\0');
  return big ? std::optional(true) : little ? std::optional(false) : std::nullopt;
}

std::string utf8_of_utf16(std::string_view bytes, bool big_endian) {
  const auto unit = [&](std::size_t i) {
    const unsigned first = byte_at(bytes, i);
    const unsigned second = byte_at(bytes, i + 1);
    return static_cast<std::int32_t>(big_endian ? first << 8U | second : second << 8U | first);
  };
  std::string text;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    std::int32_t character = unit(i);
    // Characters beyond U+FFFF are pairs of surrogates of ten bits each.
    if (character >= 0xD800 && character < 0xDC00 && i + 3 < bytes.size()) {
      i += 2;
      character = 0x10000 + ((character - 0xD800) << 10U) + (unit(i) - 0xDC00);
    }
    append_character(text, character);
  }
  return text;
}

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Takes a field off `text`, which begins with it; the separator or line end behind it is left.
std::string take_field(std::string_view& text, char separator) {
  const auto is_end = [&](char letter) { return letter == separator || letter == '\n' || letter == '\r'; };
  const auto is_blank = [&](char letter) { return (letter == ' ' || letter == '\t') && letter != separator; };
  const auto start = static_cast<std::size_t>(std::ranges::find_if_not(text, is_blank) - text.begin());
  std::string quoted;
  // Quotes count only where a field begins with them: an inch or an apostrophe inside of one is a letter.
  if (start < text.size() && text[start] == '"') {
    std::size_t i = start + 1;
    for (; i < text.size(); ++i) {
      if (text[i] == '"' && (i + 1 == text.size() || text[i + 1] != '"')) {
        break;
      }
      i += text[i] == '"' ? 1 : 0;
      quoted += text[i];
    }
    text.remove_prefix(std::min(i + 1, text.size()));
  }
  const auto end = static_cast<std::size_t>(std::ranges::find_if(text, is_end) - text.begin());
  quoted += text.substr(0, end);
  text.remove_prefix(end);
  return std::string(trimmed(quoted));
}

// Takes a row off `text`, with its end.
std::vector<std::string> take_row(std::string_view& text, char separator) {
  std::vector<std::string> fields = {take_field(text, separator)};
  while (!text.empty() && text.front() == separator) {
    text.remove_prefix(1);
    fields.push_back(take_field(text, separator));
  }
  take_line(text);
  return fields;
}

// The character behind `sep=` where the line is such a one.
std::optional<char> named_separator(std::string_view line) {
  const std::string text = lower_case(fields_of(line, '\0').front());
  if (text.size() == 5 && text.starts_with("sep=")) {
    return text[4];
  }
  // The tab of "sep=\t" is trimmed as white space.
  return text == "sep=" && line.find('\t') != line.npos ? std::optional('\t') : std::nullopt;
}

std::optional<char> separator_in(std::string_view line) {
  for (const char separator : {'\t', ';', ',', '|'}) {
    if (fields_of(line, separator).size() > 1) {
      return separator;
    }
  }
  return std::nullopt;
}

char separator_of(std::string_view line) { return separator_in(line).value_or(','); }

// A table of R or numpy, whose fields blanks alone separate, with tabs in place of these: all rows have as many fields
// as the header, or one more, which is the number of the row or its name in quotes. Nothing for other texts.
std::optional<std::string> with_tabs(std::string_view text) {
  std::string tabbed;
  std::size_t header = 0;          // where it begins
  std::vector<std::size_t> sizes;  // of the header and the rows
  bool named = true;
  for (; !text.empty(); tabbed += '\n') {
    const std::string_view line = trimmed(take_line(text));
    const bool is_row = !line.empty() && !line.starts_with('#');
    if (is_row && separator_in(line)) {
      return std::nullopt;
    }
    header = sizes.empty() ? tabbed.size() : header;
    const std::size_t mark = line.starts_with('#') ? 1 : 0;  // of a comment
    tabbed += line.substr(0, mark);
    std::size_t fields = 0;
    for (std::string_view rest = trimmed(line.substr(mark)); !rest.empty(); ++fields) {
      tabbed += (fields > 0 ? "\t" : "") + csv_field(take_field(rest, ' '));
      rest = trimmed(rest);
    }
    if (is_row) {
      named = named && (sizes.empty() || line[0] == '"' || line.starts_with(std::to_string(sizes.size()) + " "));
      sizes.push_back(fields);
    }
  }
  if (named && !sizes.empty() && sizes.back() == sizes[0] + 1) {
    tabbed.insert(header, "\t");
    ++sizes[0];
  }
  const bool alike = std::ranges::adjacent_find(sizes, std::not_equal_to<>()) == sizes.end();
  return alike && sizes.size() > 1 && sizes[0] > 1 ? std::optional(tabbed) : std::nullopt;
}

bool is_value(const std::string& field) { return is_missing_number(field) || with_decimal_point(field); }

// Takes the lines above the header off `text`: comments, and titles, which have a single field. The header is the first
// line with several fields, above one with as many, or a comment with as many above two rows of the same form.
void take_lines_above(std::string_view& text) {
  std::string_view comment;  // all behind the sign of the last line, where it is one
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view here = rest;
    const std::string_view line = trimmed(take_line(rest));
    const char separator = separator_of(line);
    const std::vector<std::string> fields = fields_of(line, separator);
    const auto empty = std::ranges::count(fields, "");
    if (line.starts_with("#")) {
      comment = here.substr(here.find('#') + 1);
    } else if (std::ssize(fields) - empty > 1 || (fields[0].empty() && empty < std::ssize(fields))) {
      rest.remove_prefix(std::min(rest.find_first_not_of("\r\n"), rest.size()));
      const std::vector<std::string> below = fields_of(take_line(rest), separator);
      const bool alike = below.size() <= 1 || std::ranges::equal(fields, below, {}, is_value, is_value);
      const bool by_comment = alike && fields_of(comment, separator).size() == fields.size();
      // Geometries in WKT without quotes are cut within their brackets.
      const bool whole = std::ranges::count(fields[0], '(') == std::ranges::count(fields[0], ')');
      text = by_comment ? comment : below.size() == fields.size() && whole ? here : text;
      return;
    } else if (empty < std::ssize(fields)) {
      comment = {};
    }
  }
}

// Which way of writing the numbers of a column have.
struct ColumnForm {
  bool numbers = true;  // all fields but the first are numbers or missing
  bool any = false;     // and one of them is a number
  bool comma = false;   // one has a decimal comma
  bool exact3 = true;   // all commas have three digits behind them, as those between thousands
};

void examine(const std::string& field, ColumnForm& form) {
  if (is_missing_number(field)) {
    return;
  }
  const std::size_t comma = field.find(',');
  form.numbers = form.numbers && with_decimal_point(field).has_value();
  form.any = true;
  form.comma = form.comma || comma != std::string::npos;
  form.exact3 = form.exact3 && (comma == std::string::npos || field.size() - comma == 4);
}

// Writes the numbers of each column in one way. With commas as separators, decimal commas stand in quotes, as commas
// between thousands do, which therefore must not be all there are.
void write_numbers_alike(TextTable& table, char separator) {
  std::vector<ColumnForm> forms;
  for (std::size_t r = 1; r < table.rows.size(); ++r) {
    const std::vector<std::string>& fields = table.rows[r].fields;
    forms.resize(std::max(forms.size(), fields.size()));
    for (std::size_t c = 0; c < fields.size(); ++c) {
      examine(fields[c], forms[c]);
    }
  }
  for (TextTable::Row& row : table.rows) {
    const bool first = &row == &table.rows.front();
    for (std::size_t c = 0; c < row.fields.size(); ++c) {
      std::string& field = row.fields[c];
      // The header of such a table has decimal commas where it has wavelengths: "450,5 nm".
      const bool number = first ? separator != ',' && !field.empty() && std::isdigit(byte_at(field, 0)) != 0
                                : forms[c].numbers && forms[c].any;
      const bool comma = first || (forms[c].comma && (separator != ',' || !forms[c].exact3));
      if (number && !first && is_missing_number(field)) {
        field.clear();
      } else if (number && comma && std::ranges::count(field, ',') == 1) {
        std::ranges::replace(field, ',', '.');
      }
    }
  }
}

}  // namespace

void append_character(std::string& text, std::int32_t code) {
  std::array<char, 4> bytes{};
  const auto count = utf8proc_encode_char(code, reinterpret_cast<utf8proc_uint8_t*>(bytes.data()));
  text.append(bytes.data(), static_cast<std::size_t>(count));
}

bool is_missing_number(const std::string& field) {
  static constexpr std::array<std::string_view, 6> kWords = {"", "na", "nan", "null", "#n/a", "n/a"};
  return std::ranges::find(kWords, lower_case(field)) != kWords.end();
}

DecodedText decoded_text(std::string bytes) {
  if (const std::optional<bool> big_endian = big_endian_utf16(bytes)) {
    bytes = utf8_of_utf16(bytes, *big_endian);
  }
  if (bytes.starts_with(kByteOrderMark)) {
    bytes.erase(0, kByteOrderMark.size());
  }
  return is_utf8(bytes) ? DecodedText{std::move(bytes), false} : DecodedText{utf8_of_latin1(bytes), true};
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  // Lines end with LF, CR LF or CR.
  const bool two = text.substr(end, 2) == "\r\n";
  text.remove_prefix(std::min(end + (two ? 2 : 1), text.size()));
  return line;
}

TextTable read_text_table(std::string_view text) {
  TextTable table;
  const std::optional<std::string> tabbed = with_tabs(text);
  text = tabbed ? std::string_view(*tabbed) : text;
  Index line = 1;
  std::string_view before = text;
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  std::string_view below = text;
  const std::optional<char> named = named_separator(take_line(below));
  text = named ? below : text;
  if (!named) {
    take_lines_above(text);
  }
  const char separator = named ? *named : separator_of(text);
  while (!text.empty()) {
    const std::string_view over = before.substr(0, before.size() - text.size());
    line += std::max(std::ranges::count(over, '\n'), std::ranges::count(over, '\r'));
    before = text;
    TextTable::Row row{line, "", take_row(text, separator)};
    // A row spans several lines where its quotes do.
    row.text = trimmed(before.substr(0, before.size() - text.size()));
    if (std::ranges::any_of(row.fields, [](const std::string& field) { return !field.empty(); })) {
      table.rows.push_back(std::move(row));
    }
  }
  write_numbers_alike(table, separator);
  return table;
}

std::vector<std::string> fields_of(std::string_view line, char separator) { return take_row(line, separator); }

std::string csv_field(const std::string& text, bool always) {
  static const std::regex quote("\"");
  const bool quoted = always || text.find_first_of(",;\t|\"\r\n") != std::string::npos;
  return quoted ? "\"" + std::regex_replace(text, quote, "\"\"") + "\"" : text;
}

std::string csv_text(const TextTable& table, const std::vector<bool>& quoted) {
  std::string text;
  for (const TextTable::Row& row : table.rows) {
    for (std::size_t c = 0; c < row.fields.size(); ++c) {
      text += (c == 0 ? "" : ",") + csv_field(row.fields[c], c < quoted.size() && quoted[c]);
    }
    text += '\n';
  }
  return text;
}

std::optional<std::string> with_decimal_point(const std::string& text) {
  std::string number = text;
  const std::size_t comma = number.find(',');
  if (comma != std::string::npos) {
    number[comma] = '.';
  }
  return parse_number<double>(number) ? std::optional(number) : std::nullopt;
}

}  // namespace parsimap
