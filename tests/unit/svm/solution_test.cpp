#include "parsimap/svm/solution.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("solver stop: every reason has its own words") {
  CHECK(to_string(SolverStop::optimal) == "optimal");
  CHECK(to_string(SolverStop::iteration_limit) == "iteration limit");
  CHECK(to_string(SolverStop::not_positive) == "kernel matrix not positive definite");
}
