#include "parsimap/kernel/mahalanobis_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parsimap/core/parallel_for.hpp"

namespace parsimap {
namespace {

// Rows whose kernel values are held at the same time: with a few thousand columns they stay in cache.
constexpr Index kPanel = 64;

// Rows that are mapped at the same time.
constexpr Index kMapped = 768;

Index parts(Index count, Index size) { return (count + size - 1) / size; }

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

KernelForm::KernelForm(const MahalanobisKernel& kernel, const Matrix& spectra, Work work, int threads)
    : work_(std::move(work)), threads_(threads) {
  const Eigen::RowVectorXd mean = spectra.colwise().mean();
  coordinates_.resize(spectra.rows(), kernel.map(spectra.topRows(0)).cols());
  parallel_for(parts(spectra.rows(), kMapped), threads_, [&](Index part) {
    const Index first = part * kMapped;
    const Index count = std::min(kMapped, spectra.rows() - first);
    coordinates_.middleRows(first, count) = kernel.map(spectra.middleRows(first, count).rowwise() - mean);
  });
  norms_ = 0.5 * coordinates_.rowwise().squaredNorm();
}

KernelForm::KernelForm(const KernelForm& whole, const Indices& rows)
    : coordinates_(whole.coordinates_(rows, Eigen::all)),
      norms_(whole.norms_(rows)),
      work_(whole.work_),
      threads_(whole.threads_) {}

std::unique_ptr<const QuadraticForm> KernelForm::restricted(Indices rows) const {
  return std::unique_ptr<const QuadraticForm>(new KernelForm(*this, rows));
}

Matrix KernelForm::block(const Indices& rows, const Indices& columns) const {
  Matrix values(rows.size(), columns.size());
  const Matrix right = coordinates_(columns, Eigen::all);
  const Vector right_norms = norms_(columns);
  parallel_for(parts(values.rows(), kPanel), threads_, [&](Index part) {
    const Index first = part * kPanel;
    const Index count = std::min(kPanel, values.rows() - first);
    const Indices some(rows.begin() + first, rows.begin() + first + count);
    values.middleRows(first, count) = kernel_values(coordinates_(some, Eigen::all), norms_(some), right, right_norms);
    count_work(work_, operations(count, right.rows(), kernel_operations(right.cols())));
  });
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
  parallel_for(parts(size(), kPanel), threads_, [&](Index part) {
    const Index first = part * kPanel;
    const Index count = std::min(kPanel, size() - first);
    result.segment(first, count) =
        kernel_values(coordinates_.middleRows(first, count), norms_.segment(first, count), right, right_norms) *
        coefficients;
    count_work(work_, operations(count, right.rows(), kernel_operations(right.cols())));
  });
  return result;
}

Matrix KernelForm::panel(Index first, Index count) const {
  Matrix values =
      kernel_values(coordinates_.middleRows(first, count), norms_.segment(first, count), coordinates_, norms_);
  for (Index k = 0; k < count; ++k) {
    values(k, first + k) = 1;
  }
  count_work(work_, operations(count, size(), kernel_operations(coordinates_.cols())));
  return values;
}

}  // namespace parsimap
