// Spectra of a library in the bands of others.
#pragma once

#include "parsimap/samples/band_match.hpp"
#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// The spectra of the library in the bands wanted: its own where match_bands() finds all of them, else computed by
// plan_resampling() from those that the library does not mark as bad. NaN where a band that counts has no value.
// DataError as plan_resampling().
Spectra in_bands(const SpectralLibrary& library, const WantedBands& wanted);

// Adds `other` behind `library` as append() does, in the bands of `library`. DataError as in_bands().
void append_in_bands(SpectralLibrary& library, const SpectralLibrary& other);

}  // namespace parsimap
