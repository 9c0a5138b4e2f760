#include "parsimap/selection/criterion.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

namespace parsimap::test {

TEST_CASE("criterion: names go both ways, unknown ones are refused") {
  for (const CriterionKind kind : {CriterionKind::leave_one_out, CriterionKind::radius_margin}) {
    CHECK(parse_criterion(to_string(kind)) == kind);
  }
  CHECK_THROWS_WITH_AS(parse_criterion("grid"),
                       "criterion 'grid' is unknown; it must be leave-one-out or radius-margin", ConfigError);
}

}  // namespace parsimap::test
