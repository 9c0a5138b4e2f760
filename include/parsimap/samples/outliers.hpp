// Samples so far from the others that a bad value is likelier than a surface.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct Outlier {
  Index sample = 0;
  double ratio = 0;  // of its distance from the medians of the bands to the usual one
};

// The samples (n x d, n >= 1) whose distance from the band medians is more than 1000 times the usual one
// (samples/robust_centre.hpp), that is a million times in squares, the farthest first. Of bands of different magnitude
// those of large values decide.
std::vector<Outlier> find_outliers(const Matrix& spectra);

}  // namespace parsimap
