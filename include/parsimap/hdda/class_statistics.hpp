// The covariance of a class with its eigen-decomposition, and the one within all classes.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Eigenvalues of a symmetric matrix, descending, and their eigenvectors: orthonormal columns with the sign that makes
// the entry of largest magnitude positive. Only the lower triangle of the matrix is read.
struct Eigendecomposition {
  Vector values;
  Matrix vectors;
};

Eigendecomposition eigendecomposition(const Matrix& symmetric);

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
// decomposed instead of S, and d x d is never formed. Signs of eigenvectors are those of eigendecomposition().
ClassStatistics class_statistics(const Matrix& spectra);

// The same of the covariance A'A for a matrix A (m x d) at hand, estimated from `samples` samples; the mean is zero.
ClassStatistics covariance_statistics(const Matrix& factor, Index samples);

// The statistics of a covariance itself, d x d, that stands for so many samples; the mean is 0. For far more samples
// than bands.
ClassStatistics decomposed_covariance(const Matrix& covariance, Index samples);

// About how many operations the statistics of an n x d matrix take.
double statistics_operations(Index samples, Index bands);

// One Mahalanobis metric for all classes, from the covariance within them: what Mahalanobis kernels were before each
// class had its own (Abe 2005, full and diagonal; Camps-Valls et al. 2007).
//
// With S_c the covariance of class c (divisor n_c), the pooled covariance is S = sum_c n_c/n S_c: the covariance of the
// samples, each centred on the mean of its class. Its inverse is the pseudo-inverse on the non-zero part: eigenvalues
// lambda > 1e-10 lambda_1, or the bands of the diagonal that vary at all. What does not vary within the classes has no
// weight, constant bands above all, even where it separates the classes.

// The mean of every class, classes x d; zero of a class without samples. `spectra` n x d, `labels` n class indices.
Matrix class_means(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes);

// Every sample less the mean of its class; exactly zero in bands that are constant within the classes.
Matrix centred_by_class(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes);

// A linear map W into coordinates where (x - z)' S^-1 (x - z) is |W'x - W'z|^2.
struct Whitening {
  Matrix directions;  // full: W, d x r, r = rank of S; empty when diagonal
  Vector factors;     // diagonal: the diagonal of W, d, zero for bands without weight; empty when full

  // The coordinates of spectra (m x d): m x r, or m x d when diagonal.
  [[nodiscard]] Matrix apply(const Matrix& spectra) const;
};

// The whitening of S, or of its diagonal. `spectra` n x d, `labels` n class indices in [0, classes); classes without
// samples do not count. With n < d the n x n Gram matrix is decomposed and d x d is never formed; with fewer samples
// than bands the full metric sees n - classes directions only. DataError when there is no variance within the classes.
Whitening pooled_whitening(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes, bool diagonal);

}  // namespace parsimap
