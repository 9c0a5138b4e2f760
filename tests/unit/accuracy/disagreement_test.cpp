#include "parsimap/accuracy/disagreement.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("quantity and allocation of tables worked by hand") {
  // Sums of the reference 25, 25; of the map 30, 20. Off the diagonal 15 of 50.
  Matrix table(2, 2);
  table << 20, 5, 10, 15;
  const auto mixed = disagreement(table);
  CHECK(mixed->quantity == doctest::Approx(5.0 / 50));
  CHECK(mixed->allocation == doctest::Approx(10.0 / 50));
  // Right amounts in the wrong places, and wrong amounts alone.
  table << 10, 10, 10, 20;
  CHECK(disagreement(table)->quantity == 0);
  CHECK(disagreement(table)->allocation == doctest::Approx(0.4));
  table << 10, 0, 10, 20;
  CHECK(disagreement(table)->quantity == doctest::Approx(0.25));
  CHECK(disagreement(table)->allocation == 0);
}

TEST_CASE("the two add up to the errors, whatever the unit of the weights") {
  Matrix table(4, 4);
  table << 65, 6, 0, 4, 4, 81, 11, 7, 22, 5, 85, 3, 24, 8, 19, 90;
  const auto counts = disagreement(table);
  CHECK(counts->quantity + counts->allocation == doctest::Approx(1 - 321.0 / 434));
  const auto shares = disagreement(table / 434);
  CHECK(shares->quantity == doctest::Approx(counts->quantity));
  const auto turned = disagreement(table.transpose());
  CHECK(turned->allocation == doctest::Approx(counts->allocation));
  CHECK_FALSE(disagreement(Matrix::Zero(2, 2)));
}
