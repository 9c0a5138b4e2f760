#include "parsimap/kernel/mahalanobis_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parsimap {
namespace {

// Rows whose kernel values are held at the same time: with a few thousand columns they stay in cache.
constexpr Index kPanel = 64;

// k of rows with coordinates `a` and half squared norms `a_norms` against all rows of `b`.
Matrix kernel_values(const Matrix& a, const Vector& a_norms, const Matrix& b, const Vector& b_norms) {
  Matrix values = a * b.transpose();
  values.colwise() -= a_norms;
  values.rowwise() -= b_norms.transpose();
  return values.array().min(0.0).exp();
}

}  // namespace

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

KernelForm::KernelForm(const MahalanobisKernel& kernel, const Matrix& spectra, Work work)
    : coordinates_(kernel.map(spectra.rowwise() - spectra.colwise().mean())),
      norms_(0.5 * coordinates_.rowwise().squaredNorm()),
      work_(std::move(work)) {}

Matrix KernelForm::block(const Indices& rows, const Indices& columns) const {
  Matrix values(rows.size(), columns.size());
  const Matrix right = coordinates_(columns, Eigen::all);
  const Vector right_norms = norms_(columns);
  for (std::size_t first = 0; first < rows.size(); first += kPanel) {
    const std::size_t last = std::min(first + kPanel, rows.size());
    const Indices some(rows.begin() + static_cast<Index>(first), rows.begin() + static_cast<Index>(last));
    values.middleRows(static_cast<Index>(first), static_cast<Index>(some.size())) =
        kernel_values(coordinates_(some, Eigen::all), norms_(some), right, right_norms);
    count_work(work_, operations(static_cast<Index>(some.size()), right.rows(), kernel_operations(right.cols())));
  }
  for (std::size_t k = 0; k < std::min(rows.size(), columns.size()); ++k) {
    // The distance of a sample from itself is 0, not what rounding leaves of it.
    if (rows[k] == columns[k]) {
      values(static_cast<Index>(k), static_cast<Index>(k)) = 1;
    }
  }
  return values;
}

Vector KernelForm::product(const Indices& columns, const Vector& coefficients) const {
  const Matrix right = coordinates_(columns, Eigen::all);
  const Vector right_norms = norms_(columns);
  Vector result(size());
  for (Index first = 0; first < size(); first += kPanel) {
    const Index count = std::min(kPanel, size() - first);
    result.segment(first, count) =
        kernel_values(coordinates_.middleRows(first, count), norms_.segment(first, count), right, right_norms) *
        coefficients;
    count_work(work_, operations(count, right.rows(), kernel_operations(right.cols())));
  }
  return result;
}

}  // namespace parsimap
