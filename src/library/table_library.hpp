// Spectral libraries as tables of text and as profiles in fields of vector layers, and what tables of text are made of.
// DataError, which begins with the path, for a file that is damaged.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsimap/samples/band.hpp"
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

// Profiles as the EnMAP-Box keeps them in fields of vector layers: an object of JSON with the values `y`, and where
// they are known the wavelengths `x`, their unit `xUnit`, what the values are (`yUnit`) and a list of bad bands (`bbl`,
// 1 good and 0 bad). Beside those the spectra that a training keeps have `fwhm` in the unit of `x`, and where the bands
// come from.
struct Profile {
  std::vector<float> values;  // NaN for none
  BandTable bands;            // as many
  std::string quantity;
  std::optional<BandOrigin> origin;
};

// True for a text that begins as a profile does.
bool looks_like_profile(const std::string& text);

// `place` is for messages. DataError: the text is no such object, or its lists differ in their length.
Profile parse_profile(const std::string& text, const std::string& place);

bool is_vector_library(const std::string& path);
SpectralLibrary read_vector_library(const std::string& path);

// A library from rows of text of which one column has profiles; the other columns become attributes.
SpectralLibrary library_of_profiles(const std::string& path, const std::string& format,
                                    std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                                    std::size_t profile_column);

// The name of each spectrum: the column that is called name, names, spectra names or the like, or else "spectrum 1"
// and so on. The column is taken out of the attributes.
void take_names(SpectralLibrary& library);

}  // namespace parsimap
