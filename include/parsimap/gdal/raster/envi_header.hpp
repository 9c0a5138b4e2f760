// The headers of ENVI files: `name = value` in each line, where a value in braces may go on over several lines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

class EnviHeader {
 public:
  // Lines that are no field, comments (;) among them, are passed over. DataError: the text does not begin with ENVI, a
  // brace is not closed or around a single value, or a field is stated twice with different values. `path` is for
  // messages.
  EnviHeader(std::string path, std::string_view text);

  // The value of a field, whose name counts in lower case and with blanks for underscores; empty where there is none.
  [[nodiscard]] std::string text(const std::string& name) const;
  // A whole number of at least `least`; `fallback` where there is none. DataError for anything else.
  [[nodiscard]] Index integer(const std::string& name, std::optional<Index> fallback, Index least) const;
  // The members of a list, without the space around them; a list that ends in a comma has no further member.
  [[nodiscard]] std::vector<std::string> list(const std::string& name) const;
  // The same as numbers. DataError for a member that is none.
  [[nodiscard]] std::vector<double> numbers(const std::string& name) const;
  // True where the list has an entry for each of `count`, or none.
  [[nodiscard]] bool fits(const std::string& name, Index count) const;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::map<std::string, std::string>& fields() const { return fields_; }

 private:
  std::string path_;
  std::map<std::string, std::string> fields_;
};

// 1 for a good band and 0 for a bad one, as the list `bbl` marks it: a number, or a word such as true. Nothing for
// other texts.
std::optional<double> band_mark(const std::string& text);

// What is wrong or unused in the header of a raster. docs/formats.md has the list of all fields.

// DataError for what would make other pixels or values of the file than it holds: a layout that GDAL does not read or
// guesses, such as offsets of frames or an unknown interleave, and numbers that are none.
void check_envi_raster(const EnviHeader& header);

// Sentences about lists and fields that do not count, each without the name of the file.
std::vector<std::string> unused_envi_fields(const EnviHeader& header);

// True where the header names its classes and has as many names as classes, so that no name holds a comma.
bool has_envi_class_names(const EnviHeader& header);

}  // namespace parsimap
