#include "parsimap/classifier/validation.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("the pooled matrix is the sum over folds and repeats") {
  Validation validation;
  validation.results.resize(3);
  validation.results[0].confusion = CountMatrix::Identity(2, 2);
  validation.results[1].confusion = CountMatrix::Constant(2, 2, 3);
  validation.results[2].confusion = CountMatrix::Zero(2, 2);
  CountMatrix expected(2, 2);
  expected << 4, 3, 3, 4;
  CHECK(validation.pooled() == expected);
}
