#include "parsimap/selection/criterion.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

using namespace parsimap;

TEST_CASE("criterion: names go both ways, unknown ones are refused") {
  for (const CriterionKind kind : {CriterionKind::leave_one_out, CriterionKind::radius_margin}) {
    CHECK(parse_criterion(to_string(kind)) == kind);
  }
  CHECK_THROWS_WITH_AS(parse_criterion("grid"),
                       "criterion 'grid' is unknown; it must be leave-one-out or radius-margin", ConfigError);
}

TEST_CASE("theta: logarithms of weights and C, with and without the isotropic weight") {
  const Hyperparameters parameters{{(Vector(2) << 0.5, 3.0).finished(), 0.25}, 40};
  const Vector theta = to_theta(parameters, true);
  REQUIRE(theta.size() == 4);
  CHECK(theta(3) == doctest::Approx(std::log(40.0)));
  const Hyperparameters back = from_theta(theta, 2, true);
  CHECK(back.weights.directional.isApprox(parameters.weights.directional));
  CHECK(back.weights.isotropic == doctest::Approx(0.25));
  CHECK(back.C == doctest::Approx(40));
  CHECK(to_theta(parameters, false).size() == 3);
  CHECK(from_theta(to_theta(parameters, false), 2, false).weights.isotropic == 0);
}
