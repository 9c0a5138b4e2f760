// Mean and eigen-decomposition of the covariance of one class.
#pragma once

#include "parsimap/core/types.hpp"

namespace parsimap {

// Covariance with divisor n: S = 1/n sum (x - mean)(x - mean)'. Only its non-zero part is kept: eigenvalues
// lambda_1 >= ... >= lambda_r > 1e-10 lambda_1, r = rank <= min(n - 1, d).
struct ClassStatistics {
  Index samples = 0;    // n
  Index bands = 0;      // d
  Vector mean;          // d
  Vector eigenvalues;   // r, descending
  Matrix eigenvectors;  // d x r, orthonormal columns
  double trace = 0;     // of S, the sum of all eigenvalues
};

// Statistics of the rows of `spectra` (n x d, n >= 1). With n < d the n x n Gram matrix of the centred samples is
// decomposed instead of S, and d x d is never formed. Eigenvectors have the sign that makes their
// entry of largest magnitude positive.
ClassStatistics class_statistics(const Matrix& spectra);

// The same of the covariance A'A for a matrix A (m x d) at hand, estimated from `samples` samples; the mean is zero.
ClassStatistics covariance_statistics(const Matrix& factor, Index samples);

// The statistics of a covariance itself, d x d, that stands for so many samples; the mean is 0. For far more samples
// than bands.
ClassStatistics decomposed_covariance(const Matrix& covariance, Index samples);

// About how many operations the statistics of an n x d matrix take.
double statistics_operations(Index samples, Index bands);

}  // namespace parsimap
