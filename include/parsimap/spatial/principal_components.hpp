// The directions in which the spectra of a scene vary most.
#pragma once

#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

struct PrincipalComponents {
  Vector mean;        // d
  Matrix directions;  // d x P, orthonormal columns; the coefficient of the largest size is positive in each
  Vector deviations;  // P, > 0, descending: the standard deviation of the spectra along each direction
};

// The first eigenvectors of the covariance of the scene's pixels that have a value in every one of `bands` (d),
// labelled or not: up to `most` >= 1, or as many as there are directions in which the spectra vary. They are those of a
// sample of the pixels (for_sampled_windows()), which is the same whatever the memory, threads or storage blocks.
// DataError: no pixel of it has a value, or all have the same. IoError from the source.
PrincipalComponents principal_components(SceneSource& scene, const Indices& bands, Index most);

}  // namespace parsimap
