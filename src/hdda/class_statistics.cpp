#include "parsimap/hdda/class_statistics.hpp"

#include <Eigen/Eigenvalues>

namespace parsimap {
namespace {

constexpr double kRankTolerance = 1e-10;

Matrix self_product(const Matrix& a) {
  Matrix product = Matrix::Zero(a.rows(), a.rows());
  product.selfadjointView<Eigen::Lower>().rankUpdate(a);
  return product;
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
  ClassStatistics statistics;
  statistics.samples = spectra.rows();
  statistics.bands = spectra.cols();
  statistics.mean = spectra.colwise().mean().transpose();
  const Matrix centred = spectra.rowwise() - statistics.mean.transpose();
  const auto n = static_cast<double>(spectra.rows());
  statistics.trace = centred.squaredNorm() / n;

  const bool gram = spectra.rows() < spectra.cols();
  const Matrix product = (gram ? self_product(centred) : self_product(centred.transpose())) / n;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(product);
  const Vector all = solver.eigenvalues().reverse();
  Index rank = 0;
  while (rank < all.size() && all(rank) > 0 && all(rank) > kRankTolerance * all(0)) {
    ++rank;
  }
  statistics.eigenvalues = all.head(rank);
  const Matrix vectors = solver.eigenvectors().rowwise().reverse().leftCols(rank);
  // An eigenvector v of the Gram matrix gives the eigenvector X'v / |X'v| of the covariance.
  statistics.eigenvectors = gram ? (centred.transpose() * vectors).colwise().normalized() : vectors;
  fix_signs(statistics.eigenvectors);
  return statistics;
}

}  // namespace parsimap
