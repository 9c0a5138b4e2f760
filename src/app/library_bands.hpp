// Spectra of a library in the bands of others.
#pragma once

#include <string>

#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// The bands that spectra are wanted in.
struct BandsOfOthers {
  BandTable bands;
  Indices places;       // of each where they come from, from 0
  Index all_bands = 0;  // how many there are in all
  std::string name;     // of what they come from
};

// The spectra of the library in these bands, rows as they are; NaN where a band that counts has no value.
// DataError: wavelengths are not known, or the library does not cover a band.
Spectra in_bands(const SpectralLibrary& library, const BandsOfOthers& wanted);

}  // namespace parsimap
