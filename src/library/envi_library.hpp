// Spectral libraries of ENVI. DataError, which begins with the path, for a file that is damaged.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// The header that belongs to the data file or header at `path`; empty where there is none.
std::string envi_header_of(const std::string& path);
// True where the header at `path` says that it belongs to a spectral library.
bool is_envi_library_header(const std::string& path);
SpectralLibrary read_envi_library(const std::string& path);
// The header, the data file, and the table of attributes where there is one; those that exist.
std::vector<std::string> envi_library_files(const std::string& path);

// Files of ENVI: their header, `name = value` in each line, where a value in braces may go on over several lines, and
// the numbers of their data.

class EnviHeader {
 public:
  // Lines that are no field, comments (;) among them, are passed over. DataError: the text does not begin with ENVI, or
  // a brace is not closed. `path` is for messages.
  EnviHeader(std::string path, std::string_view text);

  // The value of a field, whose name counts in lower case; empty where there is none.
  [[nodiscard]] std::string text(const std::string& name) const;
  // A whole number of at least `least`; `fallback` where there is none. DataError for anything else.
  [[nodiscard]] Index integer(const std::string& name, std::optional<Index> fallback, Index least) const;
  // The members of a list, without the space around them; a list that ends in a comma has no further member.
  [[nodiscard]] std::vector<std::string> list(const std::string& name) const;
  // The same as numbers. DataError for a member that is none.
  [[nodiscard]] std::vector<double> numbers(const std::string& name) const;

 private:
  std::string path_;
  std::map<std::string, std::string> fields_;
};

// The bytes of a number of ENVI's data type `type`; 0 for types that hold no single real number.
Index envi_type_bytes(Index type);

// The matrix that `bytes` hold row by row, of rows x columns numbers of that type, in the byte order that is given.
// `bytes` must have the size that these say.
Spectra envi_values(std::string_view bytes, Index type, bool big_endian, Index rows, Index columns);

}  // namespace parsimap
