// A spectral library as the document of `info --json`.
#pragma once

#include <string>

#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// Everything but the spectra themselves: bands, the names of all spectra, and of every attribute its different values
// with their numbers of spectra.
std::string info_json(const SpectralLibrary& library);

}  // namespace parsimap
