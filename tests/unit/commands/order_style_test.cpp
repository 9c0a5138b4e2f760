#include "commands/order_style.hpp"

#include <doctest/doctest.h>

namespace parsimap::test {

TEST_CASE("points have colours by quarters, of few points one each") {
  const GradedStyle style = order_style("Points to label", "order", "Point", 10);
  CHECK(style.expression == "\"order\"");
  REQUIRE(style.steps.size() == 4);
  CHECK(style.steps[0].label == "Points 1 to 3");
  CHECK(style.steps[3].high == 10);
  const GradedStyle few = order_style("Points to label", "order", "Point", 2);
  REQUIRE(few.steps.size() == 2);
  CHECK(few.steps[1].label == "Point 2");
}

}  // namespace parsimap::test
