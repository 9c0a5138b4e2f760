// The class model of high-dimensional discriminant analysis, submodel [a_ij b_i Q_i d_i]: covariance
// Q diag(a) Q' + b (I - Q Q'), with p signal directions and one noise variance (Bouveyron, Girard, Schmid 2007).
#pragma once

#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/hdda/intrinsic_dimension.hpp"

namespace parsimap {

struct SubspaceModel {
  Matrix directions;          // Q, d x p, orthonormal columns
  Vector variances;           // a, p, descending, > 0
  double noise_variance = 0;  // b = (trace - sum a) / (d - p), >= 0

  [[nodiscard]] Index dimension() const { return variances.size(); }
};

SubspaceModel subspace_model(const ClassStatistics& statistics, const DimensionRule& rule);

// With p directions, 0 <= p <= the number of eigenvalues.
SubspaceModel subspace_model(const ClassStatistics& statistics, Index p);

}  // namespace parsimap
