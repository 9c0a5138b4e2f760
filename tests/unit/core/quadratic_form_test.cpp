#include "parsimap/core/quadratic_form.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("dense quadratic form: blocks and products of a matrix typed by hand") {
  Matrix k(3, 3);
  k << 4, 1, 2, 1, 5, 3, 2, 3, 6;
  const DenseQuadraticForm form(k);
  CHECK(form.size() == 3);
  Matrix block(2, 1);
  block << 1, 3;
  CHECK(form.block({0, 2}, {1}) == block);
  Vector coefficients(2);
  coefficients << 10, -1;
  Vector expected(3);
  expected << 38, 7, 14;
  CHECK(form.product({0, 2}, coefficients).isApprox(expected));
}
