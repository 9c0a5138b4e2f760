// The values of kernels in the plane, which show what their weights do.
#pragma once

#include <vector>

#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/experiment_spec.hpp"

namespace parsimap {

// k(0, x) of every surface. The weights 1 / sigma^2 stand along the first eigenvectors of the covariance, as many as
// the surface has directional sigmas.
std::vector<KernelSurface> kernel_surfaces(const KernelShapeSpec& shape);

}  // namespace parsimap
