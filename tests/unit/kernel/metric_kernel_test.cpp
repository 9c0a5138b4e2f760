#include "parsimap/kernel/metric_kernel.hpp"

#include <Eigen/Eigenvalues>
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/random.hpp"

#include "support/toy_problems.hpp"

namespace parsimap::test {
namespace {

using Form = MetricKernel::Form;

ClassMetric metric_of(Index bands, std::uint64_t seed) {
  return {toy::orthonormal(bands, 2, seed), (Vector(2) << 0.05, 0.6).finished(), 0.3};
}

// sum_l v_l (q_l'x)(q_l'z) + w_0 (x'z - sum_l (q_l'x)(q_l'z)), term by term.
double inner(const ClassMetric& metric, const Vector& x, const Vector& z) {
  double value = metric.rest_weight * x.dot(z);
  for (Index l = 0; l < metric.weights.size(); ++l) {
    value +=
        (metric.weights(l) - metric.rest_weight) * metric.directions.col(l).dot(x) * metric.directions.col(l).dot(z);
  }
  return value;
}

double naive_metric(const MetricKernel& kernel, const std::vector<ClassMetric>& metrics, double width, const Vector& x,
                    const Vector& z) {
  if (kernel.form == Form::polynomial) {
    const ClassMetric metric = scaled(metrics[0], width);
    return std::pow((inner(metric, x, z) + 1) / std::sqrt((inner(metric, x, x) + 1) * (inner(metric, z, z) + 1)),
                    kernel.degree);
  }
  double sum = 0;
  for (const ClassMetric& metric : metrics) {
    sum += std::exp(-0.5 * width * inner(metric, x - z, x - z));
  }
  return sum / static_cast<double>(metrics.size());
}

struct KernelCase {
  MetricKernel kernel;
  std::vector<ClassMetric> metrics;
};

// Metrics of all kinds: with noise, without it, without directions.
std::vector<KernelCase> cases() {
  const ClassMetric plain{Matrix(7, 0), Vector(), 0.4};
  ClassMetric inside = metric_of(7, 3);
  inside.rest_weight = 0;
  return {{{Form::polynomial, 1}, {metric_of(7, 1)}}, {{Form::polynomial, 2}, {metric_of(7, 1)}},
          {{Form::polynomial, 3}, {metric_of(7, 2)}}, {{Form::polynomial, 3}, {plain}},
          {{Form::polynomial, 2}, {inside}},          {{Form::sum, 2}, {metric_of(7, 1), plain, inside}},
          {{Form::sum, 2}, {metric_of(7, 2)}}};
}

}  // namespace

TEST_CASE("metric kernels: agree with their definitions at every width") {
  const Matrix x = 2 * Random(4).normal_matrix(9, 7).array() + 1;
  const Matrix z = 2 * Random(5).normal_matrix(6, 7).array() + 1;
  for (const auto& [kernel, metrics] : cases()) {
    const KernelOfWidth of_width = kernel_of_width(kernel, metrics, x, z);
    for (const double width : {0.01, 1.0, 7.0}) {
      const Matrix values = of_width(width);
      REQUIRE(values.rows() == 9);
      REQUIRE(values.cols() == 6);
      for (Index i = 0; i < 9; ++i) {
        for (Index j = 0; j < 6; ++j) {
          CHECK(values(i, j) ==
                doctest::Approx(naive_metric(kernel, metrics, width, x.row(i), z.row(j))).epsilon(1e-10));
        }
      }
    }
  }
}

TEST_CASE("metric kernels: the sum of one Gaussian kernel is that kernel, and does not depend on the origin") {
  const Matrix x = Random(6).normal_matrix(8, 5);
  const ClassMetric plain{Matrix(5, 0), Vector(), 0.4};
  const MetricKernel sum{Form::sum, 2};
  CHECK((kernel_matrix(sum, {plain}, x, x) - toy::gaussian_kernel(x, 0.4)).norm() < 1e-12);
  const std::vector<ClassMetric> metrics = {metric_of(5, 1), metric_of(5, 2)};
  const Matrix moved = x.array() + 1000;
  CHECK((kernel_matrix(sum, metrics, moved, moved) - kernel_matrix(sum, metrics, x, x)).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("metric kernels: panels of many rows are those of the whole matrix") {
  const Matrix x = Random(7).normal_matrix(1100, 7);
  const Matrix z = Random(8).normal_matrix(3, 7);
  for (const auto& [kernel, metrics] : cases()) {
    CHECK((kernel_matrix(kernel, metrics, x, z) - kernel_of_width(kernel, metrics, x, z)(1)).cwiseAbs().maxCoeff() <
          1e-13);
  }
}

TEST_CASE("metric kernels: positive semidefinite, with ones on the diagonal") {
  // More samples than the polynomial of degree 1 or 2 has terms, far from the origin and near to it.
  const Matrix directions = Random(9).normal_matrix(60, 7);
  const Matrix x = Vector::LinSpaced(60, 0.01, 50).asDiagonal() * directions;
  // Distances are differences of squared norms, and are rounded as these are. No direction has a larger weight than
  // 0.6.
  const double rounding = std::numeric_limits<double>::epsilon() * 0.6 * x.rowwise().squaredNorm().maxCoeff();
  for (const auto& [kernel, metrics] : cases()) {
    const Matrix values = kernel_matrix(kernel, metrics, x, x);
    CHECK((values.diagonal().array() - 1).abs().maxCoeff() < rounding);
    CHECK(values.cwiseAbs().maxCoeff() < 1 + rounding);
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(0.5 * (values + values.transpose()));
    CHECK(solver.eigenvalues().minCoeff() > -1e-12 * 60);
  }
}

TEST_CASE("metric kernels: every class has a polynomial of its own, and all have the sum in common") {
  CHECK(classes_by_kernel({Form::polynomial, 3}, 3) == std::vector<std::vector<int>>{{0}, {1}, {2}});
  CHECK(classes_by_kernel({Form::sum, 2}, 3) == std::vector<std::vector<int>>{{0, 1, 2}});
}

TEST_CASE("metric kernels: the sum is the same for any order of the classes") {
  const Matrix x = Random(11).normal_matrix(10, 7);
  const std::vector<ClassMetric> metrics = {metric_of(7, 1), metric_of(7, 2), metric_of(7, 3)};
  const std::vector<ClassMetric> turned = {metrics[2], metrics[0], metrics[1]};
  const MetricKernel sum{Form::sum, 2};
  CHECK((kernel_matrix(sum, metrics, x, x) - kernel_matrix(sum, turned, x, x)).cwiseAbs().maxCoeff() < 1e-15);
}

}  // namespace parsimap::test
