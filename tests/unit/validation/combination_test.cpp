#include "parsimap/validation/combination.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/random.hpp"
#include "parsimap/selection/metric_selection.hpp"

namespace parsimap::test {
namespace {

constexpr double kMissing = -std::numeric_limits<double>::infinity();

// Decision values of three classes, the last one of which is less sure of its own samples than the others are.
struct UnevenValues {
  Matrix values;
  std::vector<int> labels;
  Vector weights;

  explicit UnevenValues(Index n) : values(Random(4).normal_matrix(n, 3)), weights(n) {
    for (Index i = 0; i < n; ++i) {
      labels.push_back(static_cast<int>(i % 3));
      values(i, i % 3) += 1.5;
      values(i, 2) = 0.2 * values(i, 2) - 0.6;
      weights(i) = 1 + static_cast<double>(i % 4);
    }
  }
};

// The objective of docs/method.md in a plain loop, for M in units of the decision values.
double objective(const UnevenValues& data, const Matrix& matrix, double slope, double ridge) {
  std::vector<double> sizes(data.values.data(), data.values.data() + data.values.size());
  for (double& size : sizes) {
    size = std::abs(size);
  }
  std::sort(sizes.begin(), sizes.end());
  const double identity = slope * sizes[sizes.size() / 2];
  double loss = ridge / 2 * identity * identity * (matrix - Matrix::Identity(3, 3)).squaredNorm();
  for (Index i = 0; i < data.values.rows(); ++i) {
    const Vector g = slope * (matrix * data.values.row(i).transpose());
    loss -= data.weights(i) / data.weights.mean() *
            (g(data.labels[static_cast<std::size_t>(i)]) - std::log(g.array().exp().sum()));
  }
  return loss;
}

}  // namespace

TEST_CASE("combination: no other matrix has a lower loss and ridge") {
  const UnevenValues data(240);
  const double slope = 1.3;
  const double ridge = 10;
  const Matrix found = fit_combination(data.values, data.labels, data.weights, slope, ridge);
  const double lowest = objective(data, found, slope, ridge);
  CHECK(lowest < objective(data, Matrix::Identity(3, 3), slope, ridge) - 1);
  for (Index entry = 0; entry < 9; ++entry) {
    Matrix other = found;
    other(entry) += 1e-3;
    const double above = objective(data, other, slope, ridge);
    other(entry) -= 2e-3;
    const double below = objective(data, other, slope, ridge);
    CHECK(std::abs(above - below) / 2e-3 < 2e-2);
    CHECK(std::min(above, below) > lowest);
  }
}

TEST_CASE("combination: a ridge without end leaves the values as they are") {
  const UnevenValues data(60);
  const Matrix stiff = fit_combination(data.values, data.labels, data.weights, 2, 1e9);
  CHECK((stiff - Matrix::Identity(3, 3)).cwiseAbs().maxCoeff() < 1e-6);
  CHECK(combined({}, data.values) == data.values);
  CHECK((combined(stiff, data.values) - data.values).cwiseAbs().maxCoeff() < 1e-5);
}

TEST_CASE("combination: the unit of decision values does not matter") {
  const UnevenValues data(90);
  const Matrix found = fit_combination(data.values, data.labels, data.weights, 2, 10);
  const Matrix larger = fit_combination(8 * data.values, data.labels, data.weights, 0.25, 10);
  CHECK((found - larger).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("combination: a class that was never trained is left alone") {
  UnevenValues data(90);
  for (Index i = 0; i < 90; ++i) {
    // The second class has no values beside its own samples, and these none of their own.
    if (data.labels[static_cast<std::size_t>(i)] == 1) {
      data.values(i, 1) = kMissing;
    }
  }
  const Matrix found = fit_combination(data.values, data.labels, data.weights, 2, 10);
  CHECK(found.row(1) == Eigen::RowVector3d(0, 1, 0));
  CHECK(found.col(1) == Eigen::Vector3d(0, 1, 0));
  CHECK(found(2, 0) != 0);
  const Matrix values = combined(found, data.values);
  CHECK(values(1, 1) == kMissing);
  CHECK(values(1, 0) == doctest::Approx(found(0, 0) * data.values(1, 0) + found(0, 2) * data.values(1, 2)));
  CHECK(fit_combination(Matrix::Constant(90, 3, kMissing), data.labels, data.weights, 2, 10) == Matrix::Identity(3, 3));
}

TEST_CASE("combination: of many classes each is only scaled") {
  const Index classes = 51;
  Matrix values = Random(7).normal_matrix(3 * classes, classes);
  std::vector<int> labels;
  for (Index i = 0; i < values.rows(); ++i) {
    labels.push_back(static_cast<int>(i % classes));
    values(i, i % classes) += 2;
  }
  const Matrix found = fit_combination(values, labels, Vector::Ones(values.rows()), 1, 10);
  CHECK((found - Matrix(found.diagonal().asDiagonal())).cwiseAbs().maxCoeff() == 0);
  CHECK(found.diagonal().minCoeff() != found.diagonal().maxCoeff());
  values(1, 4) = kMissing;
  const Matrix scaled = combined(found, values);
  CHECK(scaled(1, 4) == kMissing);
  CHECK(scaled == values * found.diagonal().asDiagonal());
}

}  // namespace parsimap::test
