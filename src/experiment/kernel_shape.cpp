#include "kernel_shape.hpp"

#include <Eigen/Eigenvalues>

#include "parsimap/kernel/mahalanobis_kernel.hpp"

namespace parsimap {
namespace {

MahalanobisKernel kernel_of(const KernelShapeSpec::Surface& surface, const Matrix& eigenvectors) {
  Vector weights =
      Vector::Map(surface.sigma_squared.data(), static_cast<Index>(surface.sigma_squared.size())).cwiseInverse();
  double rest = 0;
  if (surface.kernel != ExperimentKernel::pca) {
    rest = weights(weights.size() - 1);
    weights.conservativeResize(weights.size() - 1);
  }
  // In the printed kernel the weights of directions add to the weight of the whole plane.
  return MahalanobisKernel({eigenvectors.leftCols(weights.size()), weights.array() + rest, rest});
}

}  // namespace

std::vector<KernelSurface> kernel_surfaces(const KernelShapeSpec& shape) {
  const Eigen::Matrix2d covariance = Eigen::Map<const Eigen::Matrix2d>(shape.covariance.data());
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(covariance);
  const Matrix eigenvectors = solver.eigenvectors().rowwise().reverse();

  const Index n = shape.points;
  const Vector axis = Vector::LinSpaced(n, -shape.half_width, shape.half_width);
  Matrix plane(n * n, 2);
  plane.col(0) = axis.transpose().replicate(n, 1).reshaped();
  plane.col(1) = axis.replicate(n, 1);

  std::vector<KernelSurface> surfaces;
  for (const KernelShapeSpec::Surface& surface : shape.surfaces) {
    const Matrix values = kernel_of(surface, eigenvectors).block(plane, Matrix::Zero(1, 2));
    surfaces.push_back({surface.title, shape.half_width, values.reshaped(n, n), shape.contour});
  }
  return surfaces;
}

}  // namespace parsimap
