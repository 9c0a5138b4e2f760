// The bands of a spectrum in intervals of neighbours that tell much the same.
//
// A single band of a few hundred says nothing that its neighbours do not say. The bands, in the order of their
// wavelengths, are cut into J intervals such that the bands of each are as alike as possible: with standardised bands,
// r_jk their correlations, the cuts minimise the sum over the intervals I of
//   |I| - 1/|I| sum_{j, k in I} r_jk,
// the sum of squares of the bands about the mean of their interval, by dynamic programming (Fisher 1958, On grouping
// for maximum homogeneity). So cuts come where neighbouring bands decorrelate.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct IntervalOptions {
  Index most = 15;  // intervals, >= 1
};

// The columns of `spectra` (n x d, n >= 2) that each interval holds. `order` are the columns by wavelength (or as they
// are), d; intervals are runs of it, in its order, and cover it. No interval is narrower than d / (4 most), rounded,
// so that single noisy bands get none of their own. A band without variance is correlated with nothing.
std::vector<Indices> band_intervals(const Matrix& spectra, const Indices& order, const IntervalOptions& options = {});

}  // namespace parsimap
