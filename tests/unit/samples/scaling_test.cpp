#include "parsimap/samples/scaling.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

using namespace parsimap;

namespace {

// The definition, by sorting.
double median_of(const Vector& values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

}  // namespace

TEST_CASE("scaling: global keeps relations between bands, and half of the samples lie within 1 of the medians") {
  Matrix x = Random(1).normal_matrix(50, 4);
  x.col(2) *= 30;
  const Matrix scaled = fit_scaling(x, ScalingRule::global).apply(x);
  for (Index band = 0; band < 4; ++band) {
    CHECK(std::abs(median_of(scaled.col(band))) < 1e-14);
  }
  CHECK(median_of(scaled.rowwise().norm()) == doctest::Approx(1));
  const double ratio = (x(0, 0) - x(1, 0)) / (x(0, 2) - x(1, 2));
  CHECK((scaled(0, 0) - scaled(1, 0)) / (scaled(0, 2) - scaled(1, 2)) == doctest::Approx(ratio));
}

TEST_CASE("scaling: standardise gives median 0 and robust deviation 1, and leaves a constant band finite") {
  Matrix x = Random(2).normal_matrix(41, 3);
  x.col(1) = (x.col(1) * 5).array() + 100;
  x.col(2).setConstant(7);
  const Matrix scaled = fit_scaling(x, ScalingRule::standardise).apply(x);
  for (const Index band : {0, 1}) {
    CHECK(std::abs(median_of(scaled.col(band))) < 1e-14);
    CHECK(1.4826 * median_of(scaled.col(band).cwiseAbs()) == doctest::Approx(1));
  }
  CHECK(scaled.col(2).cwiseAbs().maxCoeff() == 0);
  const Matrix many = Random(5).normal_matrix(20000, 1) * 7;
  CHECK(fit_scaling(many, ScalingRule::standardise).scale(0) == doctest::Approx(7).epsilon(0.03));
}

TEST_CASE("scaling: one bad pixel changes next to nothing for the others") {
  const Matrix good = Random(6).normal_matrix(60, 5).array() + 100;
  Matrix bad = good;
  bad.row(17).setConstant(1e12);
  for (const ScalingRule rule : {ScalingRule::global, ScalingRule::standardise}) {
    const Scaling before = fit_scaling(good, rule);
    const Scaling after = fit_scaling(bad, rule);
    CHECK((after.offset - before.offset).cwiseAbs().maxCoeff() < 0.2);
    CHECK((after.scale.array() / before.scale.array() - 1).abs().maxCoeff() < 0.2);
  }
}

TEST_CASE("scaling: where most samples are equal, the mean square takes the median's place") {
  Matrix x = Matrix::Zero(10, 2);
  x(3, 0) = 6;
  x(3, 1) = 8;
  x(9, 0) = -30;
  CHECK(fit_scaling(x, ScalingRule::global).scale(1) == doctest::Approx(10));
  CHECK(fit_scaling(x, ScalingRule::standardise).scale(1) == doctest::Approx(8 / std::sqrt(10)));
  CHECK(fit_scaling(Matrix::Constant(4, 2, 3), ScalingRule::global).scale == Vector::Ones(2));
  CHECK(fit_scaling(Matrix::Constant(1, 2, 3), ScalingRule::global).offset == Vector::Constant(2, 3));
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
