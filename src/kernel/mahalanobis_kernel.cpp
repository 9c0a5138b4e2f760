#include "parsimap/kernel/mahalanobis_kernel.hpp"

#include <cmath>
#include <utility>

namespace parsimap {

MahalanobisKernel::MahalanobisKernel(Matrix directions, Vector weights, double isotropic_weight)
    : directions_(std::move(directions)), weights_(std::move(weights)), isotropic_weight_(isotropic_weight) {}

Matrix MahalanobisKernel::map(const Matrix& spectra) const {
  const Index p = weights_.size();
  const Index isotropic = isotropic_weight_ > 0 ? spectra.cols() : 0;
  Matrix mapped(spectra.rows(), p + isotropic);
  mapped.leftCols(p).noalias() = spectra * directions_ * weights_.cwiseSqrt().asDiagonal();
  if (isotropic > 0) {
    mapped.rightCols(isotropic) = std::sqrt(isotropic_weight_) * spectra;
  }
  return mapped;
}

Matrix MahalanobisKernel::block(const Matrix& x, const Matrix& z) const {
  // A common origin near the data keeps the difference of squares accurate.
  const Eigen::RowVectorXd origin =
      z.rows() > 0 ? Eigen::RowVectorXd(z.colwise().mean()) : Eigen::RowVectorXd::Zero(x.cols());
  const Matrix a = map(x.rowwise() - origin);
  const Matrix b = map(z.rowwise() - origin);
  Matrix values = a * b.transpose();
  values.colwise() -= 0.5 * a.rowwise().squaredNorm();
  values.rowwise() -= 0.5 * b.rowwise().squaredNorm().transpose();
  return values.array().min(0.0).exp();
}

}  // namespace parsimap
