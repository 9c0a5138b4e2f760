// One class against the rest, as hyperparameter selection sees it.
#pragma once

#include <memory>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel_family.hpp"
#include "parsimap/kernel/training_geometry.hpp"
#include "parsimap/selection/projection_folds.hpp"

namespace parsimap {

struct BinaryProblem {
  Matrix directions;                        // d x p, of the class
  Matrix projections;                       // n x p, samples on the class directions
  std::shared_ptr<const Matrix> distances;  // n x n squared Euclidean distances
  Vector labels;                            // n, +1 for the class, -1 for the rest
  Vector variances;                         // p, of the class along its directions
  double noise_variance = 0;                // of the class across them
  std::vector<ProjectionFold> folds = {};   // every sample held out of one of them, or none at all
};

// The problem restricted to the samples at `rows` (ascending where there are folds).
BinaryProblem subset(const BinaryProblem& problem, const Indices& rows);

// What a kernel family uses of the samples: the Gaussian kernel no projections, the PCA kernel no distances.
TrainingGeometry family_geometry(const BinaryProblem& problem, KernelFamily family);
// The same with the projections of one of the problem's folds.
TrainingGeometry fold_geometry(const BinaryProblem& problem, const ProjectionFold& fold, KernelFamily family);

}  // namespace parsimap
