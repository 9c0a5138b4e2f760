// Spectral libraries as tables of text, and what these are made of.
// DataError, which begins with the path, for a file that is damaged.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// decoded_text() of a file. DataError as read_text_file().
std::string library_text(const std::string& path);

// The beginning of a file, at most `bytes`; empty where it is no regular file or cannot be read.
std::string file_head(const std::string& path, std::size_t bytes = 4096);

// The fields of a table, row by row, as read_text_table() reads them.
std::vector<std::vector<std::string>> table_rows(std::string_view text);

// True where the header of the table names wavelengths or holds profiles.
bool is_table_library(const std::string& path);
SpectralLibrary read_table_library(const std::string& path);

// The nanometres that a header means: a number (460.5), with a unit behind it (460 nm, 0.46um), with the number of the
// band before it, as older versions of the EnMAP-Box write (b12_460.5 nm), or with the X that R puts before numbers.
// Nothing for other words. Without a unit, numbers below 100 are micrometres.
std::optional<double> wavelength_of_header(const std::string& header);

}  // namespace parsimap
