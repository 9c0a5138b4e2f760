// The training geometry of a toy problem for the three kernel families.
#pragma once

#include <memory>

#include "parsimap/kernel/training_geometry.hpp"

#include "support/toy_problems.hpp"

namespace parsimap::toy {

struct ToyGeometry {
  TwoClasses problem;
  Matrix directions;
  std::shared_ptr<const Matrix> distances;

  ToyGeometry(Index n, Index d, Index p, double shift, std::uint64_t seed)
      : problem(two_classes(n, d, shift, seed)),
        directions(orthonormal(d, p, seed + 1)),
        distances(std::make_shared<const Matrix>(squared_distances(problem.spectra))) {}

  [[nodiscard]] TrainingGeometry hdda() const { return {problem.spectra * directions, distances}; }
  [[nodiscard]] TrainingGeometry pca() const { return {problem.spectra * directions, nullptr}; }
  [[nodiscard]] TrainingGeometry gaussian() const { return {Matrix(problem.spectra.rows(), 0), distances}; }
};

}  // namespace parsimap::toy
