#include "parsimap/kernel/training_geometry.hpp"

#include <algorithm>
#include <utility>

namespace parsimap {
namespace {

// Columns handled at a time, so that the products stay in cache and only one triangle is computed.
constexpr Index kPanel = 64;

void mirror_lower(Matrix& matrix) {
  for (Index first = 0; first < matrix.cols(); first += kPanel) {
    const Index width = std::min(kPanel, matrix.cols() - first);
    const Index below = matrix.rows() - first - width;
    matrix.block(first, first, width, width).triangularView<Eigen::StrictlyUpper>() =
        matrix.block(first, first, width, width).transpose();
    matrix.block(first, first + width, width, below) = matrix.block(first + width, first, below, width).transpose();
  }
}

}  // namespace

Matrix squared_distances(const Matrix& spectra) {
  const Index n = spectra.rows();
  const Matrix centred = spectra.rowwise() - spectra.colwise().mean();
  const Vector norms = centred.rowwise().squaredNorm();
  Matrix distances = Matrix::Zero(n, n);
  distances.selfadjointView<Eigen::Lower>().rankUpdate(centred, -2.0);
  for (Index j = 0; j < n; ++j) {
    auto column = distances.col(j).tail(n - j);
    column = (column.array() + norms.tail(n - j).array() + norms(j)).max(0.0).matrix();
    distances(j, j) = 0;
  }
  mirror_lower(distances);
  return distances;
}

TrainingGeometry::TrainingGeometry(Matrix projections, std::shared_ptr<const Matrix> distances)
    : projections_(std::move(projections)), distances_(std::move(distances)) {}

Matrix TrainingGeometry::gram(const KernelWeights& weights) const {
  Matrix kernel;
  gram(weights, kernel);
  return kernel;
}

void TrainingGeometry::gram(const KernelWeights& weights, Matrix& kernel) const {
  const Index n = samples();
  const Matrix scaled =
      (projections_.rowwise() - projections_.colwise().mean()) * weights.directional.cwiseSqrt().asDiagonal();
  const Vector norms = 0.5 * scaled.rowwise().squaredNorm();
  kernel.resize(n, n);
  for (Index first = 0; first < n; first += kPanel) {
    const Index width = std::min(kPanel, n - first);
    const Index height = n - first;
    auto panel = kernel.block(first, first, height, width);
    if (directions() > 0) {
      panel.noalias() = scaled.bottomRows(height) * scaled.middleRows(first, width).transpose();
      panel.colwise() -= norms.tail(height);
      panel.rowwise() -= norms.segment(first, width).transpose();
    } else {
      panel.setZero();
    }
    if (has_isotropic()) {
      panel -= (0.5 * weights.isotropic) * distances_->block(first, first, height, width);
    }
    panel = panel.array().min(0.0).exp().matrix();
  }
  mirror_lower(kernel);
  kernel.diagonal().setOnes();
}

Vector TrainingGeometry::derivatives(const KernelWeights& weights, const Indices& rows, const Indices& columns,
                                     const Matrix& weighted) const {
  const Index p = directions();
  Vector result(p + (has_isotropic() ? 1 : 0));
  if (p > 0) {
    const Matrix left = projections_(rows, Eigen::all);
    const Matrix right = projections_(columns, Eigen::all);
    const Matrix product = weighted * right;
    const Vector row_sums = weighted.rowwise().sum();
    const Vector column_sums = weighted.colwise().sum().transpose();
    for (Index l = 0; l < p; ++l) {
      const double spread = row_sums.dot(left.col(l).cwiseAbs2()) + column_sums.dot(right.col(l).cwiseAbs2()) -
                            2 * left.col(l).dot(product.col(l));
      result(l) = -0.5 * weights.directional(l) * spread;
    }
  }
  if (has_isotropic()) {
    double sum = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      sum += weighted.col(static_cast<Index>(k)).dot((*distances_)(rows, columns[k]));
    }
    result(p) = -0.5 * weights.isotropic * sum;
  }
  return result;
}

}  // namespace parsimap
