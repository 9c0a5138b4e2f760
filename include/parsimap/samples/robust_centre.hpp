// Where samples lie and how far from there they usually are, by medians: up to half of the samples may be wrong.
#pragma once

#include "parsimap/core/types.hpp"

namespace parsimap {

// The median of every band of `spectra` (n x d, n >= 1); of even n the mean of the two in the middle.
Vector band_medians(const Matrix& spectra);

// The usual one of distances >= 0 (at least one), > 0: `factor` times their median, or where that is 0, since half of
// the samples are equal, the root of their mean square; 1 where all are 0.
double usual_distance(const Vector& distances, double factor = 1);

}  // namespace parsimap
