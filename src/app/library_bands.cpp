#include "library_bands.hpp"

#include "parsimap/core/error.hpp"

namespace parsimap {

Spectra in_bands(const SpectralLibrary& library, const BandsOfOthers& wanted) {
  if (same_wavelengths(library.bands, wanted.bands)) {
    return library.spectra;
  }
  throw DataError(library.path + " has other bands than " + wanted.name);
}

}  // namespace parsimap
