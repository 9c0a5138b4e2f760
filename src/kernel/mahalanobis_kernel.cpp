#include "parsimap/kernel/mahalanobis_kernel.hpp"

#include <cmath>
#include <utility>

namespace parsimap {

MahalanobisKernel::MahalanobisKernel(ClassMetric metric) : metric_(std::move(metric)) {}

Matrix MahalanobisKernel::map(const Matrix& spectra) const {
  const Vector roots = metric_.weights.cwiseSqrt();
  if (metric_.rest_weight == 0) {
    return spectra * metric_.directions * roots.asDiagonal();
  }
  const double rest = std::sqrt(metric_.rest_weight);
  Matrix mapped = rest * spectra;
  if (roots.size() > 0) {
    mapped.noalias() +=
        spectra * metric_.directions * (roots.array() - rest).matrix().asDiagonal() * metric_.directions.transpose();
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
