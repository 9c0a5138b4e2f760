#include "parsimap/kernel/metric_shape.hpp"

namespace parsimap {

std::vector<MetricShape> metric_shapes(KernelFamily family) {
  switch (family) {
    case KernelFamily::gaussian:
      return {{0, 0}};
    case KernelFamily::pca:
      return {{0.5, 0.5, false}, {0, 0.5, false}, {0, 1, false}, {0.5, 1, false}, {1, 0.5, false}, {1, 1, false}};
    case KernelFamily::hdda:
      // The last two are for classes that differ inside their subspaces only, among many bands of noise.
      return {{0.5, 0.5}, {0, 0}, {0, 0.5}, {0, 1}, {0.5, 1}, {1, 0.5}, {1, 1}, {0.5, 0.5, false}, {0.5, 1, false}};
  }
  return {};
}

ClassMetric shaped_metric(const SubspaceModel& model, const MetricShape& shape) {
  // A class without any variance has no directions: its kernel can only be the Gaussian one.
  return !shape.rest && model.dimension() > 0 ? damped_directions(model, shape.damping, 1)
                                              : damped_metric(model, shape.damping, 1);
}

}  // namespace parsimap
