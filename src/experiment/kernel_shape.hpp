// The values of kernels in the plane, which show what their weights do.
#pragma once

#include <vector>

#include "parsimap/experiment/experiment_spec.hpp"
#include "parsimap/report/experiment_record.hpp"

namespace parsimap {

// k(0, x) of every surface, with w = 1 / sigma^2 along the first eigenvectors of the covariance, as many as the surface
// has directional sigmas.
std::vector<KernelSurface> kernel_surfaces(const KernelShapeSpec& shape);

}  // namespace parsimap
