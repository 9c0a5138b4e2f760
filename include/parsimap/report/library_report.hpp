// What a spectral library holds, for people.
#pragma once

#include <string>

#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// Format, sizes, wavelengths, the values of each attribute, and names: all of both where `verbose`, else the first
// some.
std::string library_text(const SpectralLibrary& library, bool verbose = false);

}  // namespace parsimap
