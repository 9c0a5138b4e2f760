// Spectra of field spectrometers: ASD, Spectra Vista and Spectral Evolution. DataError, which begins with the path, for
// a file that is damaged.
#pragma once

#include <string>

#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

SpectralLibrary read_asd(const std::string& path);
SpectralLibrary read_svc(const std::string& path);
SpectralLibrary read_spectral_evolution(const std::string& path);

}  // namespace parsimap
