// Samples projected on directions of their class that have not seen them.
//
// A class of few samples in many bands lies along its own principal directions better than other samples of it will:
// noise that these samples share by chance passes for signal. Leave-one-out takes a sample out of the machine but not
// out of the directions, and prefers weights that rely on such noise. Here the directions are estimated on one half of
// the class and judged on the other, and the other way round.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct ProjectionFold {
  Matrix projections;  // n x p of all samples, on directions estimated without those held out
  Indices held_out;    // ascending
};

// Two folds of the samples `rows` (ascending) of `spectra` (all samples, N x d), each sample held out of one: every
// second one of the class, whose `labels` (N) are positive, and of the others. Directions come from all samples of the
// class that are not held out, whether in `rows` or not; where they have fewer than `dimension`, the last columns are
// zero. No folds where the class has fewer than four samples.
std::vector<ProjectionFold> projection_folds(const Matrix& spectra, const Vector& labels, const Indices& rows,
                                             Index dimension);

// The fold of the samples at `rows` (ascending) alone.
ProjectionFold subset(const ProjectionFold& fold, const Indices& rows);

}  // namespace parsimap
