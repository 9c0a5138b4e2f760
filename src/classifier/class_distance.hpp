// How far spectra are from a class: from its mean, and from the nearest of its samples (docs/method.md, "Novelty").
//
// The first suits a class of one part, the second one of several; their geometric mean finds more pixels of classes
// without labels than either.
#pragma once

#include "parsimap/core/types.hpp"
#include "parsimap/kernel/kernel.hpp"

namespace parsimap {

// Squared Mahalanobis distances of n spectra from a class.
struct SquaredDistances {
  Vector from_mean;     // D(x), n
  Matrix from_samples;  // D(x, s), n x s; n x 0 where no samples are kept

  // The distance T from the class, n: sqrt(D(x) min_s D(x, s)), or D(x) without samples.
  [[nodiscard]] Vector from_class() const;
};

class ClassDistance {
 public:
  // `samples` (s x d) may be empty.
  ClassDistance(const ClassGaussian& gaussian, const Matrix& samples);

  // Of the rows of `spectra`, n x d.
  [[nodiscard]] SquaredDistances operator()(const Matrix& spectra) const;

 private:
  Vector mean_;
  MahalanobisKernel metric_;  // for its coordinates, whose distances are Mahalanobis distances
  Matrix samples_;            // their coordinates about the mean, s x d
};

}  // namespace parsimap
