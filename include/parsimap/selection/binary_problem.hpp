// One class against the rest, as hyperparameter selection sees it.
#pragma once

#include <memory>

#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel_family.hpp"
#include "parsimap/kernel/training_geometry.hpp"

namespace parsimap {

struct BinaryProblem {
  Matrix directions;                        // d x p, of the class
  Matrix projections;                       // n x p, samples on the class directions
  std::shared_ptr<const Matrix> distances;  // n x n squared Euclidean distances
  Vector labels;                            // n, +1 for the class, -1 for the rest
  Vector variances;                         // p, of the class along its directions
  double noise_variance = 0;                // of the class across them
};

// The problem restricted to the samples at `rows`.
BinaryProblem subset(const BinaryProblem& problem, const Indices& rows);

// What a kernel family uses of the samples: the Gaussian kernel no projections, the PCA kernel no distances.
TrainingGeometry family_geometry(const BinaryProblem& problem, KernelFamily family);

}  // namespace parsimap
