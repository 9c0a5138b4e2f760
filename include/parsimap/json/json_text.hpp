// JSON text: what is read, before anything parses it; what lists of fields (core/record_fields.hpp) write and read; and
// lines with checksums.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/record_fields.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// The text of a JSON file that is not empty. ConfigError, which names the file with its role, as in "options file":
// there is none, it is empty, it cannot be read, is no regular file or has more than kLargestConfiguration bytes.
std::string read_json_text(const std::string& path, const std::string& role);

// ConfigError where lists and objects are nested more than 100 deep, or an object has a key twice. What works on
// documents calls itself for every level, and would exhaust its stack; no file of this program needs more than a dozen
// levels. Of equal keys the parser keeps the last; one of them is a mistake.
void check_json_form(const std::string& text);

// Documents are UTF-8. Numbers print in the shortest form that reads back the same; what is not finite or not set is
// null.

// A document of nlohmann's library as one line without an end. JSON has to be UTF-8 and text from files may not be:
// bytes that are not UTF-8 become U+FFFD. Numbers that are not finite are written as null.
template <typename Json>
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Of the fields that the list names: indented, ending in a newline; as one line without one; and with every entry of a
// list of the outermost object on a line of its own, since a large document would be mostly spaces if it were indented.
std::string document_text(const FieldList& list);
std::string line_text(const FieldList& list);
std::string entries_text(const FieldList& list);

struct ReadRules {
  std::int64_t largest_integer = std::numeric_limits<std::int64_t>::max();
  bool finite = false;  // null is no number
};
// Reads the fields that the list names: null is NaN, or no value. ConfigError where the text is not JSON; DataError,
// which names the place, where a field is missing or is not what it must be.
void read_document(const std::string& text, const FieldList& list, const ReadRules& rules = {});

// Lines of JSON with checksums: each ends in a member "checksum", the CRC-32 (ISO-HDLC, as in zlib)
// of the checksum of the line before and of its own text up to that member, as eight hexadecimal digits. A line that
// was altered does not fit its checksum, and one that was lost, repeated or moved does not fit that of the line before.

// The line of an object, which is JSON text without an end of line. `previous` is the checksum of the line before,
// empty for the first one, and becomes that of this line.
std::string sealed_line(const std::string& object, std::string& previous);

// The object of such a line, which ends in an end of line; nothing where the line is damaged, and `previous` stays.
std::optional<std::string> opened_line(const std::string& line, std::string& previous);

// Colours of classes, an object of names or codes and "#rrggbb"; a key of digits alone is a name, or else a code.
// ConfigError: the file cannot be read, is not JSON (with the line and column), is no object or an empty one, or has a
// colour that is not "#rrggbb".
std::vector<ColourRule> read_colour_file(const std::string& path);

}  // namespace parsimap

// Fields that documents call by the names of members: PARSIMAP_FIELDS(band, name, scale) stands for
// field("name", band.name), field("scale", band.scale). A macro is not replaced in its own replacement, but in what
// becomes of it when that is scanned again: 64 scans are enough for as many members.
// PARSIMAP_RECORD(Band, name, scale) is the list of fields of a struct whose documents have just these members.
#define PARSIMAP_RECORD(Type, ...)                                                        \
  void list_fields(Type& record, Fields& field) { PARSIMAP_FIELDS(record, __VA_ARGS__); } \
  static_assert(true)
#define PARSIMAP_FIELDS(record, ...) PARSIMAP_SCAN_64_(PARSIMAP_FIELD_(record, __VA_ARGS__))
#define PARSIMAP_FIELD_(record, member, ...) \
  field(#member, (record).member) __VA_OPT__(, PARSIMAP_NEXT_ PARSIMAP_PARENTHESES_(record, __VA_ARGS__))
#define PARSIMAP_NEXT_() PARSIMAP_FIELD_
#define PARSIMAP_PARENTHESES_ ()
#define PARSIMAP_SCAN_64_(...) PARSIMAP_SCAN_16_(PARSIMAP_SCAN_16_(PARSIMAP_SCAN_16_(PARSIMAP_SCAN_16_(__VA_ARGS__))))
#define PARSIMAP_SCAN_16_(...) PARSIMAP_SCAN_4_(PARSIMAP_SCAN_4_(PARSIMAP_SCAN_4_(PARSIMAP_SCAN_4_(__VA_ARGS__))))
#define PARSIMAP_SCAN_4_(...) PARSIMAP_SCAN_(PARSIMAP_SCAN_(PARSIMAP_SCAN_(PARSIMAP_SCAN_(__VA_ARGS__))))
#define PARSIMAP_SCAN_(...) __VA_ARGS__
