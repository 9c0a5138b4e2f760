#include "matlab/matlab_array.hpp"

#include <doctest/doctest.h>
#include <matio.h>

using namespace parsimap;

TEST_CASE("matlab array: its name, shape and type as one text") {
  MatlabArray array;
  array.name = "paviaU";
  array.shape = {610, 340, 103};
  set_type(array, MAT_C_UINT16, false, false);
  CHECK(to_string(array) == "paviaU (610 x 340 x 103, uint16)");
  CHECK(array.real_numbers);
  set_type(array, MAT_C_DOUBLE, false, true);
  CHECK(array.type == "complex double");
  CHECK_FALSE(array.real_numbers);
  set_type(array, MAT_C_UINT8, true, false);
  CHECK(array.type == "logical");
  CHECK(array.real_numbers);
  set_type(array, 200, false, false);
  CHECK(array.type == "unknown");
  CHECK_FALSE(array.real_numbers);
}

TEST_CASE("matlab array: a shape may have more values than integers can count") {
  MatlabArray array;
  CHECK(value_count(array) == 1);
  array.shape = {3, 0, 5};
  CHECK(value_count(array) == 0);
  array.shape.assign(16, 2147483647);
  CHECK(value_count(array) > 1e148);
}
