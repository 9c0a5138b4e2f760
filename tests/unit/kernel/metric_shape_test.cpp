#include "parsimap/kernel/metric_shape.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "support/toy_problems.hpp"

namespace parsimap::test {

TEST_CASE("every family keeps to its shapes, the first one in the middle") {
  for (const KernelFamily family : {KernelFamily::hdda, KernelFamily::pca}) {
    const std::vector<MetricShape> shapes = metric_shapes(family);
    CHECK(shapes.front() == MetricShape{0.5, 0.5, family == KernelFamily::hdda});
    const bool gaussian = std::find(shapes.begin(), shapes.end(), MetricShape{0, 0}) != shapes.end();
    CHECK(gaussian == (family == KernelFamily::hdda));
  }
  const SubspaceModel model{toy::orthonormal(6, 2, 1), Vector{{4, 2}}, 0.5};
  CHECK(shaped_metric(model, {0.5, 0.5, false}).rest_weight == 0);
  CHECK(shaped_metric(model, {0.5, 0.5}).rest_weight > 0);
}

}  // namespace parsimap::test
