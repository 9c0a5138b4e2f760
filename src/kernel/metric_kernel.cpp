#include "parsimap/kernel/metric_kernel.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "parsimap/kernel/mahalanobis_kernel.hpp"

namespace parsimap {
namespace {

// Rows whose kernel values are computed at the same time.
constexpr Index kKernelRows = 512;

// In the coordinates of the Gaussian kernel the inner product of the metric is the plain one.
KernelOfWidth polynomial(const ClassMetric& metric, int degree, const Matrix& x, const Matrix& z) {
  const MahalanobisKernel kernel(metric);
  const Matrix a = kernel.map(x);
  const Matrix b = kernel.map(z);
  return [degree, products = Matrix(a * b.transpose()), a_norms = Vector(a.rowwise().squaredNorm()),
          b_norms = Vector(b.rowwise().squaredNorm())](double width) -> Matrix {
    const Vector left = (1 + width * a_norms.array()).rsqrt();
    const Vector right = (1 + width * b_norms.array()).rsqrt();
    const Matrix cosines = left.asDiagonal() * (1 + width * products.array()).matrix() * right.asDiagonal();
    Matrix values = cosines;
    for (int factor = 1; factor < degree; ++factor) {
      values = values.cwiseProduct(cosines);
    }
    return values;
  };
}

// About an origin near the data: distances are differences of squares.
Matrix squared_distances_in(const ClassMetric& metric, const Matrix& x, const Matrix& z) {
  const MahalanobisKernel kernel(metric);
  const Eigen::RowVectorXd origin = z.colwise().mean();
  const Matrix a = kernel.map(x.rowwise() - origin);
  const Matrix b = kernel.map(z.rowwise() - origin);
  Matrix distances = -2 * a * b.transpose();
  distances.colwise() += a.rowwise().squaredNorm();
  distances.rowwise() += b.rowwise().squaredNorm().transpose();
  return distances.cwiseMax(0.0);
}

KernelOfWidth sum(const std::vector<ClassMetric>& metrics, const Matrix& x, const Matrix& z) {
  std::vector<Matrix> distances;
  for (const ClassMetric& metric : metrics) {
    distances.push_back(squared_distances_in(metric, x, z));
  }
  return [distances = std::move(distances)](double width) -> Matrix {
    Matrix values = (-0.5 * width * distances.front()).array().exp();
    for (std::size_t c = 1; c < distances.size(); ++c) {
      values.array() += (-0.5 * width * distances[c]).array().exp();
    }
    return values / static_cast<double>(distances.size());
  };
}

}  // namespace

std::vector<std::vector<int>> classes_by_kernel(const MetricKernel& kernel, int classes) {
  std::vector<int> all(static_cast<std::size_t>(classes));
  std::iota(all.begin(), all.end(), 0);
  if (kernel.form == MetricKernel::Form::sum) {
    return {all};
  }
  std::vector<std::vector<int>> each;
  std::transform(all.begin(), all.end(), std::back_inserter(each), [](int c) { return std::vector<int>{c}; });
  return each;
}

KernelOfWidth kernel_of_width(const MetricKernel& kernel, const std::vector<ClassMetric>& metrics, const Matrix& x,
                              const Matrix& z) {
  return kernel.form == MetricKernel::Form::sum ? sum(metrics, x, z) : polynomial(metrics.front(), kernel.degree, x, z);
}

Matrix kernel_matrix(const MetricKernel& kernel, const std::vector<ClassMetric>& metrics, const Matrix& x,
                     const Matrix& z) {
  Matrix values(x.rows(), z.rows());
  for (Index first = 0; first < x.rows(); first += kKernelRows) {
    const Index count = std::min(kKernelRows, x.rows() - first);
    values.middleRows(first, count) = kernel_of_width(kernel, metrics, x.middleRows(first, count), z)(1);
  }
  return values;
}

}  // namespace parsimap
