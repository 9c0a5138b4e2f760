// Spectral libraries of profiles, in columns of tables and in fields of vector layers.
// DataError, which begins with the path, for a file that is damaged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/band.hpp"
#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

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
