// Where samples lie and how far from there they usually are, by medians, and which samples are outliers: up to
// half of the samples may be wrong.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The median of every band of `spectra` (n x d, n >= 1); of even n the mean of the two in the middle.
Vector band_medians(const Matrix& spectra);

// The usual one of distances >= 0 (at least one), > 0: `factor` times their median, or where that is 0, since half of
// the samples are equal, the root of their mean square; 1 where all are 0.
double usual_distance(const Vector& distances, double factor = 1);

// A sample so far from the others that a bad value is likelier than a surface.
struct Outlier {
  Index sample = 0;
  double ratio = 0;  // of its distance from the medians of the bands to the usual one
};

// The samples (n x d, n >= 1) whose distance from the band medians is more than 1000 times the usual one
// (usual_distance()), that is a million times in squares, the farthest first. Of bands of different magnitude
// those of large values decide.
std::vector<Outlier> find_outliers(const Matrix& spectra);

}  // namespace parsimap
