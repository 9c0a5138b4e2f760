#include "parsimap/core/matrix_forms.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "parsimap/core/random.hpp"

#include "support/dense_basis_form.hpp"

namespace parsimap::test {
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

TEST_CASE("restricted form: rows and columns of the whole, also of a restriction itself") {
  Random random(4);
  const Matrix half = random.normal_matrix(700, 5);
  const Matrix k = half * half.transpose();
  const DenseQuadraticForm whole(k);
  Indices rows(600);
  std::iota(rows.begin(), rows.end(), Index{50});
  const RestrictedForm part(whole, rows);
  const RestrictedForm again(part, {0, 7, 599});
  CHECK(part.size() == 600);
  CHECK(part.block({1, 599}, {0, 2, 3}) == k({51, 649}, {50, 52, 53}));
  CHECK(again.block({2, 0}, {1}) == k({649, 50}, {57}));
  const Vector coefficients = random.normal_matrix(3, 1);
  CHECK((part.product({0, 300, 5}, coefficients) - k(rows, {50, 350, 55}) * coefficients).cwiseAbs().maxCoeff() <
        1e-12);
}

TEST_CASE("quadratic form: panels and restrictions, where a form has none of its own") {
  const Matrix half = Random(5).normal_matrix(90, 4);
  const Matrix k = half * half.transpose();
  const DenseQuadraticForm whole(k);
  CHECK(whole.panel(20, 7) == k.middleRows(20, 7));
  const auto part = whole.restricted({3, 80, 41});
  CHECK(part->size() == 3);
  CHECK(part->panel(1, 2) == k({80, 41}, {3, 80, 41}));
}

TEST_CASE("dense quadratic form: the same bits for any number of threads") {
  const Index n = 1500;
  const Matrix k = Random(6).normal_matrix(n, n);
  const Vector coefficients = Random(7).normal_matrix(101, 1);
  Indices columns(101);
  std::iota(columns.begin(), columns.end(), Index{900});
  const Vector product = DenseQuadraticForm(k).product(columns, coefficients);
  CHECK((product - k.middleCols(900, 101) * coefficients).norm() < 1e-12 * product.norm());
  for (const int threads : {2, 3, 7}) {
    const DenseQuadraticForm form(k, threads);
    CHECK(form.product(columns, coefficients) == product);
    CHECK(form.block({7, 1400}, columns) == k({7, 1400}, columns));
  }
}

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

}  // namespace parsimap::test
