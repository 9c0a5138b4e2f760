// Small random problems that tests of the mathematics share. Everything follows from the seed.
#pragma once

#include <cmath>

#include "parsimap/core/random.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap::toy {

inline Indices all_rows(Index n) {
  Indices rows;
  for (Index i = 0; i < n; ++i) {
    rows.push_back(i);
  }
  return rows;
}

// n points in d dimensions of two overlapping Gaussian classes, shifted by `shift` along the first axis; labels -1, +1
// alternate.
struct TwoClasses {
  Matrix spectra;
  Vector labels;
};

inline TwoClasses two_classes(Index n, Index d, double shift, std::uint64_t seed) {
  Random random(seed);
  TwoClasses problem{random.normal_matrix(n, d), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    problem.labels(i) = i % 2 == 0 ? 1 : -1;
    problem.spectra(i, 0) += shift * problem.labels(i);
  }
  return problem;
}

inline Matrix gaussian_kernel(const Matrix& x, double weight) {
  Matrix kernel(x.rows(), x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.rows(); ++j) {
      kernel(i, j) = std::exp(-0.5 * weight * (x.row(i) - x.row(j)).squaredNorm());
    }
  }
  return kernel;
}

// d x p with orthonormal columns.
inline Matrix orthonormal(Index d, Index p, std::uint64_t seed) {
  Matrix q = Random(seed).normal_matrix(d, p);
  for (Index j = 0; j < p; ++j) {
    for (Index k = 0; k < j; ++k) {
      q.col(j) -= q.col(k).dot(q.col(j)) * q.col(k);
    }
    q.col(j).normalize();
  }
  return q;
}

}  // namespace parsimap::toy
