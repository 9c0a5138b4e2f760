// What must be true of every spectral library that a reader accepts.
#pragma once

#include "parsimap/samples/spectral_library.hpp"

#include "fuzz/target.hpp"

namespace parsimap::fuzz {

inline void check(const SpectralLibrary& library) {
  accepted([&] { check_library(library); });
  require(
      library.names.size() == static_cast<std::size_t>(library.size()) && library.values.size() == library.names.size(),
      "every spectrum has a name and attributes");
  require(library.bands.size() == static_cast<std::size_t>(library.spectra.cols()), "every value has a band");
  require(!library.spectra.array().isInf().any(), "an infinite value is missing");
  for (const Band& band : library.bands) {
    require(!band.wavelength || *band.wavelength > 0, "a wavelength is above 0");
  }
}

}  // namespace parsimap::fuzz
