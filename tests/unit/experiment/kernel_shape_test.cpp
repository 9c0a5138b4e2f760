#include "experiment/kernel_shape.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace parsimap;

namespace {

// The figure of the paper: the first eigenvector of the covariance is (1, -1) / sqrt 2.
KernelShapeSpec paper_shape() {
  KernelShapeSpec shape;
  shape.covariance = {0.6, -0.2, -0.2, 0.6};
  shape.points = 5;
  shape.half_width = 2;
  shape.surfaces = {{"a", ExperimentKernel::gaussian, {0.5}},
                    {"b", ExperimentKernel::pca, {1.5}},
                    {"c", ExperimentKernel::hdda, {1.5, 0.5}},
                    {"d", ExperimentKernel::hdda, {1.5, 0.25, 0.5}}};
  return shape;
}

}  // namespace

TEST_CASE("kernel shape: values of the closed form on the grid") {
  const std::vector<KernelSurface> surfaces = kernel_surfaces(paper_shape());
  REQUIRE(surfaces.size() == 4);
  for (Index row = 0; row < 5; ++row) {
    for (Index column = 0; column < 5; ++column) {
      const double x1 = -2.0 + static_cast<double>(column);
      const double x2 = -2.0 + static_cast<double>(row);
      const double first = (x1 - x2) * (x1 - x2) / 2;
      const double second = (x1 + x2) * (x1 + x2) / 2;
      const double square = x1 * x1 + x2 * x2;
      CHECK(surfaces[0].values(row, column) == doctest::Approx(std::exp(-0.5 * square / 0.5)));
      CHECK(surfaces[1].values(row, column) == doctest::Approx(std::exp(-0.5 * first / 1.5)));
      CHECK(surfaces[2].values(row, column) == doctest::Approx(std::exp(-0.5 * (first / 1.5 + square / 0.5))));
      CHECK(surfaces[3].values(row, column) ==
            doctest::Approx(std::exp(-0.5 * (first / 1.5 + second / 0.25 + square / 0.5))));
    }
  }
}

TEST_CASE("kernel shape: surfaces carry their titles, extent and contour") {
  KernelShapeSpec shape = paper_shape();
  shape.contour = 0.6;
  const std::vector<KernelSurface> surfaces = kernel_surfaces(shape);
  CHECK(surfaces[1].title == "b");
  CHECK(surfaces[1].half_width == 2);
  CHECK(surfaces[1].contour == 0.6);
}
