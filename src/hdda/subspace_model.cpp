#include "parsimap/hdda/subspace_model.hpp"

#include <algorithm>

namespace parsimap {

SubspaceModel subspace_model(const ClassStatistics& statistics, const DimensionRule& rule) {
  return subspace_model(statistics, intrinsic_dimension(statistics, rule));
}

SubspaceModel subspace_model(const ClassStatistics& statistics, Index p) {
  SubspaceModel model;
  model.directions = statistics.eigenvectors.leftCols(p);
  model.variances = statistics.eigenvalues.head(p);
  const double rest = std::max(0.0, statistics.trace - model.variances.sum());
  model.noise_variance = rest / static_cast<double>(std::max<Index>(1, statistics.bands - p));
  return model;
}

}  // namespace parsimap
