#include "class_statistics.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/hdda/class_statistics.hpp"

namespace parsimap {

// Eigenvalues below this fraction of the largest one count as zero: in double precision they consist mostly of rounding
// errors.
constexpr double kRankTolerance = 1e-10;

// A A', of which only the lower triangle is computed. The eigenvalue solver does not read the other one.
static Matrix self_product(const Matrix& a) {
  Matrix product = Matrix::Zero(a.rows(), a.rows());
  product.selfadjointView<Eigen::Lower>().rankUpdate(a);
  return product;
}

// Of descending eigenvalues.
static Index numerical_rank(const Vector& eigenvalues) {
  Index rank = 0;
  while (rank < eigenvalues.size() && eigenvalues(rank) > 0 && eigenvalues(rank) > kRankTolerance * eigenvalues(0)) {
    ++rank;
  }
  return rank;
}

// An eigenvector is determined only up to its sign. Its component of largest absolute value is made positive, so that
// the stored directions do not depend on the solver.
static void fix_signs(Matrix& vectors) {
  for (Index j = 0; j < vectors.cols(); ++j) {
    Index largest = 0;
    vectors.col(j).cwiseAbs().maxCoeff(&largest);
    if (vectors(largest, j) < 0) {
      vectors.col(j) *= -1;
    }
  }
}

void drop_rounding(Matrix& centred, const Matrix& spectra) {
  constexpr double kRounding = 1e-24;
  for (Index band = 0; band < spectra.cols(); ++band) {
    if (centred.col(band).squaredNorm() <= kRounding * spectra.col(band).squaredNorm()) {
      centred.col(band).setZero();
    }
  }
}

// In one place, because Eigen's solver takes the compiler seconds. It sorts eigenvalues in ascending order.
Eigendecomposition eigendecomposition(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  Eigendecomposition result{solver.eigenvalues().reverse(), solver.eigenvectors().rowwise().reverse()};
  fix_signs(result.vectors);
  return result;
}

ClassStatistics class_statistics(const Matrix& spectra) {
  // With the centred samples, divided by sqrt(n), as the rows of A, the covariance is A'A.
  const Vector mean = spectra.colwise().mean().transpose();
  Matrix centred = spectra.rowwise() - mean.transpose();
  drop_rounding(centred, spectra);
  ClassStatistics statistics =
      covariance_statistics(centred / std::sqrt(static_cast<double>(spectra.rows())), spectra.rows());
  statistics.mean = mean;
  return statistics;
}

// About the mean 0. The eigenvectors are those of the decomposition.
static ClassStatistics statistics_of(const Eigendecomposition& decomposition, Index samples, Index bands,
                                     double trace) {
  const Index rank = numerical_rank(decomposition.values);
  return {samples, bands, Vector::Zero(bands), decomposition.values.head(rank), decomposition.vectors.leftCols(rank),
          trace};
}

ClassStatistics decomposed_covariance(const Matrix& covariance, Index samples) {
  return statistics_of(eigendecomposition(covariance), samples, covariance.rows(), covariance.trace());
}

ClassStatistics covariance_statistics(const Matrix& factor, Index samples) {
  // A'A (bands) and A A' (samples) have the same non-zero eigenvalues, and the solver takes time in proportion to the
  // cube of the order: the smaller of the two is decomposed. Their common trace is the squared norm of A.
  const bool gram = factor.rows() < factor.cols();
  const Matrix product = gram ? self_product(factor) : self_product(factor.transpose());
  ClassStatistics statistics = statistics_of(eigendecomposition(product), samples, factor.cols(), factor.squaredNorm());
  if (gram) {
    // An eigenvector v of A A' gives the eigenvector A'v / |A'v| of A'A, of the same eigenvalue.
    statistics.eigenvectors = (factor.transpose() * Matrix(statistics.eigenvectors)).colwise().normalized();
    fix_signs(statistics.eigenvectors);
  }
  return statistics;
}

double statistics_operations(Index samples, Index bands) {
  // The product of the matrix with itself, and the eigenvectors of the result, which take about 8 times the cube of its
  // order.
  constexpr Index kEigenvectors = 8;
  const Index order = std::min(samples, bands);
  return operations(order, order, std::max(samples, bands) + kEigenvectors * order);
}

Matrix class_means(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes) {
  Matrix means = Matrix::Zero(static_cast<Index>(classes), spectra.cols());
  Vector counts = Vector::Zero(static_cast<Index>(classes));
  for (Index i = 0; i < spectra.rows(); ++i) {
    const Index c = labels[static_cast<std::size_t>(i)];
    means.row(c) += spectra.row(i);
    counts(c) += 1;
  }
  means.array().colwise() /= counts.array().max(1.0);
  return means;
}

Matrix centred_by_class(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes) {
  Matrix centred = spectra - class_means(spectra, labels, classes)(labels, Eigen::all);
  drop_rounding(centred, spectra);
  return centred;
}

Matrix Whitening::apply(const Matrix& spectra) const {
  return factors.size() > 0 ? Matrix(spectra * factors.asDiagonal()) : Matrix(spectra * directions);
}

Whitening pooled_whitening(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes, bool diagonal) {
  // The whitening W has W W' = S_w^-1, in the pseudo-inverse (docs/method.md, "One metric for all classes"). The
  // diagonal one divides bands by their standard deviation within the classes, and gives bands without variance the
  // factor 0. The full one is Q Lambda^-1/2 over the eigenvalues that are not zero.
  const Matrix centred = centred_by_class(spectra, labels, classes);
  Whitening whitening;
  if (diagonal) {
    const Vector variances = centred.colwise().squaredNorm() / static_cast<double>(spectra.rows());
    whitening.factors = (variances.array() > 0).select(variances.array().rsqrt(), 0.0);
  } else {
    const ClassStatistics pooled = class_statistics(centred);
    whitening.directions = pooled.eigenvectors * pooled.eigenvalues.cwiseSqrt().cwiseInverse().asDiagonal();
  }
  if (whitening.directions.cols() == 0 && !(whitening.factors.array() > 0).any()) {
    throw DataError("the pooled covariance is zero: every training sample is the mean of its class");
  }
  return whitening;
}

}  // namespace parsimap
