// A library of three spectra and two bands.
#pragma once

#include <limits>

#include "parsimap/samples/spectral_library.hpp"

namespace parsimap::toy {

inline SpectralLibrary library() {
  SpectralLibrary library;
  library.path = "toy.sli";
  library.format = "toy";
  library.names = {"oak", "beech", "sand"};
  library.spectra.resize(3, 2);
  library.spectra << 1, 2, 3, 4, 5, std::numeric_limits<float>::quiet_NaN();
  library.bands = {{.wavelength = 450, .fwhm = 10}, {.wavelength = 550, .bad = true}};
  library.attributes = {"class", "note"};
  library.values = {{"tree", ""}, {"tree", ""}, {"soil", ""}};
  return library;
}

}  // namespace parsimap::toy
