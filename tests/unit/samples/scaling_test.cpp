#include "parsimap/samples/scaling.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

using namespace parsimap;

TEST_CASE("scaling: global keeps relations between bands and makes the mean squared distance 2") {
  Matrix x = Random(1).normal_matrix(50, 4);
  x.col(2) *= 30;
  const Matrix scaled = fit_scaling(x, ScalingRule::global).apply(x);
  double sum = 0;
  for (Index i = 0; i < 50; ++i) {
    for (Index j = 0; j < 50; ++j) {
      sum += (scaled.row(i) - scaled.row(j)).squaredNorm();
    }
  }
  CHECK(sum / 2500 == doctest::Approx(2.0));
  const double ratio = (x(0, 0) - x(1, 0)) / (x(0, 2) - x(1, 2));
  CHECK((scaled(0, 0) - scaled(1, 0)) / (scaled(0, 2) - scaled(1, 2)) == doctest::Approx(ratio));
}

TEST_CASE("scaling: standardise gives mean 0 and deviation 1, and leaves a constant band finite") {
  Matrix x = Random(2).normal_matrix(40, 3);
  x.col(1) = (x.col(1) * 5).array() + 100;
  x.col(2).setConstant(7);
  const Matrix scaled = fit_scaling(x, ScalingRule::standardise).apply(x);
  CHECK(scaled.colwise().mean().cwiseAbs().maxCoeff() < 1e-12);
  CHECK(scaled.col(1).squaredNorm() / 40 == doctest::Approx(1.0));
  CHECK(scaled.col(2).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("scaling: none changes nothing") {
  const Matrix x = Random(3).normal_matrix(5, 3);
  CHECK(fit_scaling(x, ScalingRule::none).apply(x) == x);
}

TEST_CASE("scaling: names go both ways, unknown ones are refused") {
  for (const ScalingRule rule : {ScalingRule::none, ScalingRule::global, ScalingRule::standardise}) {
    CHECK(parse_scaling_rule(to_string(rule)) == rule);
  }
  CHECK_THROWS_WITH_AS(parse_scaling_rule("minmax"),
                       "scaling 'minmax' is unknown; it must be none, global or standardise", ConfigError);
}
