// The shapes that a metric of the classes may have, of which one is chosen for all.
//
// The covariance of every class is blended with the pooled one, and the spectrum of its class model damped, at one
// width for all classes (docs/method.md, "Selection by left-out regions").
#pragma once

#include <vector>

#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/kernel/kernel.hpp"

namespace parsimap {

struct MetricShape {
  double blend = 0.5;         // rho in [0, 1]
  double damping = 0.5;       // g in [0, 1]; 0 is the Gaussian kernel
  bool rest = true;           // whether what is orthogonal to the directions counts; else w_0 = 0
  bool standardised = false;  // of spectra that are scaled as it is tried beside the scaling given: within classes
  bool operator==(const MetricShape&) const = default;
};

// The shapes of a family; the first one is the default.
std::vector<MetricShape> metric_shapes(KernelFamily family);

// The metric of a class model at unit width.
ClassMetric shaped_metric(const SubspaceModel& model, const MetricShape& shape);

}  // namespace parsimap
