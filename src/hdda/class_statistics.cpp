#include "parsimap/hdda/class_statistics.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

#include "parsimap/core/work.hpp"

namespace parsimap {
namespace {

constexpr double kRankTolerance = 1e-10;

Matrix self_product(const Matrix& a) {
  Matrix product = Matrix::Zero(a.rows(), a.rows());
  product.selfadjointView<Eigen::Lower>().rankUpdate(a);
  return product;
}

// Of descending eigenvalues.
Index numerical_rank(const Vector& eigenvalues) {
  Index rank = 0;
  while (rank < eigenvalues.size() && eigenvalues(rank) > 0 && eigenvalues(rank) > kRankTolerance * eigenvalues(0)) {
    ++rank;
  }
  return rank;
}

void fix_signs(Matrix& vectors) {
  for (Index j = 0; j < vectors.cols(); ++j) {
    Index largest = 0;
    vectors.col(j).cwiseAbs().maxCoeff(&largest);
    if (vectors(largest, j) < 0) {
      vectors.col(j) *= -1;
    }
  }
}

}  // namespace

ClassStatistics class_statistics(const Matrix& spectra) {
  const Vector mean = spectra.colwise().mean().transpose();
  const Matrix centred = spectra.rowwise() - mean.transpose();
  ClassStatistics statistics =
      covariance_statistics(centred / std::sqrt(static_cast<double>(spectra.rows())), spectra.rows());
  statistics.mean = mean;
  return statistics;
}

ClassStatistics decomposed_covariance(const Matrix& covariance, Index samples) {
  ClassStatistics statistics;
  statistics.samples = samples;
  statistics.bands = covariance.rows();
  statistics.mean = Vector::Zero(covariance.rows());
  statistics.trace = covariance.trace();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(covariance);
  const Vector all = solver.eigenvalues().reverse();
  const Index rank = numerical_rank(all);
  statistics.eigenvalues = all.head(rank);
  statistics.eigenvectors = solver.eigenvectors().rowwise().reverse().leftCols(rank);
  fix_signs(statistics.eigenvectors);
  return statistics;
}

ClassStatistics covariance_statistics(const Matrix& factor, Index samples) {
  ClassStatistics statistics;
  statistics.samples = samples;
  statistics.bands = factor.cols();
  statistics.mean = Vector::Zero(factor.cols());
  statistics.trace = factor.squaredNorm();

  const bool gram = factor.rows() < factor.cols();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(gram ? self_product(factor) : self_product(factor.transpose()));
  const Vector all = solver.eigenvalues().reverse();
  const Index rank = numerical_rank(all);
  statistics.eigenvalues = all.head(rank);
  const Matrix vectors = solver.eigenvectors().rowwise().reverse().leftCols(rank);
  // An eigenvector v of A A' gives the eigenvector A'v / |A'v| of A'A.
  statistics.eigenvectors = gram ? (factor.transpose() * vectors).colwise().normalized() : vectors;
  fix_signs(statistics.eigenvectors);
  return statistics;
}

double statistics_operations(Index samples, Index bands) {
  // The product of the matrix with itself, and the eigenvectors of that.
  constexpr Index kEigenvectors = 8;
  const Index order = std::min(samples, bands);
  return operations(order, order, std::max(samples, bands) + kEigenvectors * order);
}

}  // namespace parsimap
