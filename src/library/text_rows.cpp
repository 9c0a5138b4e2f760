#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"

#include "formats.hpp"

namespace parsimap {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Reads one line of a table off `text`, which may go on over line ends in quotes.
std::vector<std::string> take_fields(std::string_view& text, char separator) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '"') {
      // Within quotes, two quotes stand for one, and separators and line ends belong to the field (RFC 4180).
      const bool twice = quoted && i + 1 < text.size() && text[i + 1] == '"';
      i += twice ? 1 : 0;
      quoted = twice ? quoted : !quoted;
      fields.back() += twice ? "\"" : "";
    } else if (letter == separator && !quoted) {
      fields.emplace_back();
    } else if ((letter == '\n' || letter == '\r') && !quoted) {
      break;
    } else {
      fields.back() += letter;
    }
  }
  text.remove_prefix(std::min(i + 1, text.size()));
  for (std::string& field : fields) {
    field = std::string(trimmed(field));
  }
  return fields;
}

}  // namespace

// Spreadsheets write UTF-8 with a byte order mark or, in older versions, the code page of the system, which agrees with
// ISO-8859-1 in the letters of western languages.
std::string library_text(const std::string& path) {
  std::string text = read_text_file(path);
  if (text.starts_with(kByteOrderMark)) {
    text.erase(0, kByteOrderMark.size());
  }
  return is_utf8(text) ? text : utf8_of_latin1(text);
}

std::string file_head(const std::string& path, std::size_t bytes) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) {
    return {};
  }
  std::string head(bytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(bytes));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return head;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  // Lines end with LF, CR LF or CR.
  const bool two = text.substr(end, 2) == "\r\n";
  text.remove_prefix(std::min(end + (two ? 2 : 1), text.size()));
  return line;
}

// Where the decimal sign is a comma, spreadsheets separate by semicolons: a header with both is separated by
// semicolons.
char separator_of_header(std::string_view header) {
  for (const char separator : {'\t', ';'}) {
    if (header.find(separator) != std::string_view::npos) {
      return separator;
    }
  }
  return ',';
}

std::vector<std::vector<std::string>> table_rows(std::string_view text, char separator) {
  std::vector<std::vector<std::string>> rows;
  while (!text.empty()) {
    std::vector<std::string> fields = take_fields(text, separator);
    if (fields.size() > 1 || !fields.front().empty()) {
      rows.push_back(std::move(fields));
    }
  }
  return rows;
}

}  // namespace parsimap
