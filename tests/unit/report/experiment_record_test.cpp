#include "parsimap/report/experiment_record.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("method name: in one line, without a dimension where there is none") {
  CHECK(to_string(MethodName{"hdda", "radius-margin", "scree:0.2"}) == "hdda, radius-margin, scree:0.2");
  CHECK(to_string(MethodName{"gaussian", "leave-one-out", ""}) == "gaussian, leave-one-out");
}
