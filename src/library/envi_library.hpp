// Spectral libraries of ENVI. DataError, which begins with the path, for a file that is damaged.
#pragma once

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

// The bytes of a number of ENVI's data type `type`; 0 for types that hold no single real number.
Index envi_type_bytes(Index type);

// The matrix that `bytes` hold row by row, of rows x columns numbers of that type, in the byte order that is given.
// `bytes` must have the size that these say.
Spectra envi_values(std::string_view bytes, Index type, bool big_endian, Index rows, Index columns);

}  // namespace parsimap
