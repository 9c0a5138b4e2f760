// Rounding in the statistics of a class, for the sources of this folder.
#pragma once

#include "parsimap/core/types.hpp"

namespace parsimap {

// Sets the bands of centred samples to zero in which `spectra` are equal. Bands of equal values keep rounding errors of
// about 1e-16 of their values when a mean is subtracted; a variance below 1e-24 of the mean square of the band is
// therefore taken for none. Its inverse would be an enormous weight for a band without any information.
void drop_rounding(Matrix& centred, const Matrix& spectra);

}  // namespace parsimap
