#include "svm/squared_hinge.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/random.hpp"

using namespace parsimap;

TEST_CASE("squared hinge: samples inside the margin") {
  const Vector labels = (Vector(4) << 1, -1, 1, -1).finished();
  const Vector decision = (Vector(4) << 0.5, -1.0, 1.5, 0.2).finished();
  CHECK(inside_margin(labels, decision) == Indices{0, 3});
}

TEST_CASE("squared hinge: the line search ends where the objective is lowest") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Vector decision = random.normal_matrix(30, 1);
    Vector change = random.normal_matrix(30, 1);
    Vector labels(30);
    for (Index i = 0; i < 30; ++i) {
      labels(i) = i % 3 == 0 ? 1 : -1;
    }
    const Vector penalties = Vector::LinSpaced(30, 0.5, 2);
    const double inner = 0.4;
    const double curvature = 0.3;
    const auto objective = [&](double t) {
      const Eigen::ArrayXd slack = (1 - labels.array() * (decision + t * change).array()).max(0.0);
      return t * inner + 0.5 * t * t * curvature + 0.5 * (penalties.array() * slack.square()).sum();
    };
    // Only directions along which the objective falls are asked for.
    if (objective(1e-6) > objective(0)) {
      continue;
    }
    const double t = line_search({decision, change, inner, curvature}, labels, penalties);
    for (double other = 0; other < 5; other += 0.001) {
      REQUIRE(objective(t) <= objective(other) + 1e-12);
    }
  }
}
