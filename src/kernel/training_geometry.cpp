#include "parsimap/kernel/training_geometry.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/kernel/kernel.hpp"

namespace parsimap {

// Columns handled at a time, so that the products stay in cache and only one triangle is computed.
constexpr Index kPanel = 64;

// Rows of a product with all columns that are handled at a time.
constexpr Index kRows = 768;

// Calls body(first, width) for every panel of n columns or rows.
template <typename Body>
static void for_panels(Index n, int threads, const Body& body) {
  parallel_for((n + kPanel - 1) / kPanel, threads,
               [&](Index panel) { body(panel * kPanel, std::min(kPanel, n - panel * kPanel)); });
}

// Copies these columns of the lower triangle, while they are in cache, to rows of the upper one. Panels write to
// separate places, so that threads share them.
static void mirror_lower(Matrix& matrix, Index first, Index width) {
  const Index below = matrix.rows() - first - width;
  matrix.block(first, first, width, width).triangularView<Eigen::StrictlyUpper>() =
      matrix.block(first, first, width, width).transpose();
  matrix.block(first, first + width, width, below) = matrix.block(first + width, first, below, width).transpose();
}

Matrix squared_distances(const Matrix& spectra, int threads) {
  const Index n = spectra.rows();
  // D_0,ij = |x_i|^2 + |x_j|^2 - 2 x_i'x_j, about the mean of the samples, which keeps the three terms small and the
  // difference accurate. Only the lower triangle is computed, and then mirrored.
  const Matrix centred = spectra.rowwise() - spectra.colwise().mean();
  const Vector norms = centred.rowwise().squaredNorm();
  Matrix distances = Matrix::Zero(n, n);
  add_self_product(distances, centred, -2.0, threads);
  for_panels(n, threads, [&](Index first, Index width) {
    for (Index j = first; j < first + width; ++j) {
      auto column = distances.col(j).tail(n - j);
      column = (column.array() + norms.tail(n - j).array() + norms(j)).max(0.0).matrix();
      distances(j, j) = 0;
    }
    mirror_lower(distances, first, width);
  });
  return distances;
}

TrainingGeometry::TrainingGeometry(Matrix projections, std::shared_ptr<const Matrix> distances, int threads)
    : projections_(std::move(projections)), distances_(std::move(distances)), threads_(threads) {}

Matrix TrainingGeometry::gram(const KernelWeights& weights) const {
  Matrix kernel;
  gram(weights, kernel);
  return kernel;
}

void TrainingGeometry::gram(const KernelWeights& weights, Matrix& kernel) const {
  const Index n = samples();
  // log k_ij = -1/2 sum_l w_l (u_il - u_jl)^2 - 1/2 w_0 |x_i - x_j|^2, the printed family of kernels with u = X Q. The
  // first sum is |s_i - s_j|^2 of the projections times sqrt(w_l); it is expanded as s_i's_j - 1/2 |s_i|^2 -
  // 1/2 |s_j|^2 for all pairs of a panel at once. The distances of the second term are there already.
  const Matrix scaled =
      (projections_.rowwise() - projections_.colwise().mean()) * weights.directional.cwiseSqrt().asDiagonal();
  const Vector norms = 0.5 * scaled.rowwise().squaredNorm();
  kernel.resize(n, n);
  for_panels(n, threads_, [&](Index first, Index width) {
    const Index height = n - first;
    auto panel = kernel.block(first, first, height, width);
    if (has_isotropic()) {
      panel = (-0.5 * weights.isotropic) * distances_->block(first, first, height, width);
    } else {
      panel.setZero();
    }
    if (directions() > 0) {
      panel.noalias() += scaled.bottomRows(height) * scaled.middleRows(first, width).transpose();
      panel.colwise() -= norms.tail(height);
      panel.rowwise() -= norms.segment(first, width).transpose();
    }
    panel = panel.array().min(0.0).max(kLeastExponent<double>).exp().matrix();
    mirror_lower(kernel, first, width);
  });
  kernel.diagonal().setOnes();
}

Vector TrainingGeometry::derivatives(const KernelWeights& weights, const Indices& rows, const Indices& columns,
                                     const Matrix& weighted) const {
  const Index p = directions();
  Vector result(p + (has_isotropic() ? 1 : 0));
  if (p > 0) {
    // The derivative of sum_ij M_ij with respect to log w_l is -1/2 w_l sum_ij M_ij (u_il - u_jl)^2, where M is
    // `weighted`, and sum_ij M_ij (u_i - u_j)^2 = sum_i r_i u_i^2 + sum_j c_j u_j^2 - 2 u'M u with the row sums r and
    // column sums c of M. One matrix product M U therefore serves all directions. Sums over parts do not depend on the
    // number of threads.
    const Matrix left = projections_(rows, Eigen::all);
    const Matrix right = projections_(columns, Eigen::all);
    Matrix product(left.rows(), p);
    Vector row_sums(left.rows());
    parallel_for((left.rows() + kRows - 1) / kRows, threads_, [&](Index part) {
      const Index first = part * kRows;
      const auto some = weighted.middleRows(first, std::min(kRows, left.rows() - first));
      product.middleRows(first, some.rows()).noalias() = some * right;
      row_sums.segment(first, some.rows()) = some.rowwise().sum();
    });
    Vector column_sums(right.rows());
    for_panels(right.rows(), threads_, [&](Index first, Index width) {
      column_sums.segment(first, width) = weighted.middleCols(first, width).colwise().sum().transpose();
    });
    for (Index l = 0; l < p; ++l) {
      const double spread = row_sums.dot(left.col(l).cwiseAbs2()) + column_sums.dot(right.col(l).cwiseAbs2()) -
                            2 * left.col(l).dot(product.col(l));
      result(l) = -0.5 * weights.directional(l) * spread;
    }
  }
  if (has_isotropic()) {
    Vector sums(static_cast<Index>(columns.size()));
    for_panels(sums.size(), threads_, [&](Index first, Index width) {
      for (Index k = first; k < first + width; ++k) {
        sums(k) = weighted.col(k).dot((*distances_)(rows, columns[static_cast<std::size_t>(k)]));
      }
    });
    result(p) = -0.5 * weights.isotropic * std::accumulate(sums.begin(), sums.end(), 0.0);
  }
  return result;
}

}  // namespace parsimap
