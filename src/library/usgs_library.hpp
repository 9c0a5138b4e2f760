// Spectra of the USGS library splib07 as text. DataError, which begins with the path, for a file that is damaged.
#pragma once

#include <string>
#include <vector>

#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// True where the first line of the file is the title of a spectrum of splib07.
bool is_usgs_spectrum(const std::string& path);
SpectralLibrary read_usgs_spectrum(const std::string& path);
// The files of wavelengths and of widths that go with the spectrum.
std::vector<std::string> usgs_side_files(const std::string& path);

}  // namespace parsimap
