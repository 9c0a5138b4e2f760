#include "parsimap/core/basis_form.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

using namespace parsimap;

TEST_CASE("basis form: some rows of a matrix, and of some of its rows") {
  const Matrix samples = Random(1).normal_matrix(6, 3);
  const Matrix centres = Random(2).normal_matrix(3, 3);
  const DenseBasisForm form(samples, centres);
  CHECK(form.size() == 6);
  CHECK(form.centres() == 3);
  CHECK(form.centre_matrix() == centres);
  Matrix values(2, 3);
  form.rows({4, 1}, values);
  CHECK(values.row(0) == samples.row(4));
  CHECK(values.row(1) == samples.row(1));

  const RestrictedBasisForm some(form, {5, 2, 0});
  CHECK(some.size() == 3);
  CHECK(some.centres() == 3);
  CHECK(some.centre_matrix() == centres);
  some.rows({0, 2}, values);
  CHECK(values.row(0) == samples.row(5));
  CHECK(values.row(1) == samples.row(0));
}
