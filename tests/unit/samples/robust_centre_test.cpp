#include "parsimap/samples/robust_centre.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

namespace parsimap::test {

TEST_CASE("band medians: of odd and of even numbers of samples, whatever a few of them are") {
  Matrix spectra(5, 2);
  spectra << 1, 10, 2, 20, 3, 1e12, 4, 40, -1e12, 50;
  CHECK(band_medians(spectra) == Vector{{2, 40}});
  CHECK(band_medians(spectra.topRows(4)) == Vector{{2.5, 30}});
}

TEST_CASE("usual distance: the median, else the root mean square, else 1") {
  CHECK(usual_distance(Vector{{1, 2, 1e12}}) == 2);
  CHECK(usual_distance(Vector{{1, 2, 1e12}}, 1.5) == 3);
  CHECK(usual_distance(Vector{{0, 0, 0, 4}}) == doctest::Approx(2));
  CHECK(usual_distance(Vector::Zero(3)) == 1);
}

TEST_CASE("outliers: bad values are found, the worst first, and told by how much") {
  Matrix x = Random(1).normal_matrix(101, 4);
  CHECK(find_outliers(x).empty());
  x.row(20).setConstant(1e5);
  x(70, 2) = -1e12;
  const std::vector<Outlier> outliers = find_outliers(x);
  REQUIRE(outliers.size() == 2);
  CHECK(outliers[0].sample == 70);
  CHECK(outliers[1].sample == 20);
  // The median length of four standard normal values is 1.83.
  CHECK(outliers[0].ratio == doctest::Approx(1e12 / 1.83).epsilon(0.15));
  CHECK(outliers[1].ratio == doctest::Approx(2e5 / 1.83).epsilon(0.15));
}

TEST_CASE("outliers: the limit is a thousand times the usual distance") {
  // The median is 0 and the median distance 1.
  Matrix x(5, 1);
  x << -1, 0, 1, 1, -1000;
  CHECK(find_outliers(x).empty());
  x(4, 0) = -1001;
  REQUIRE(find_outliers(x).size() == 1);
  CHECK(find_outliers(x)[0].ratio == 1001);
}

TEST_CASE("outliers: samples that are all alike, or but for a few, have none") {
  CHECK(find_outliers(Matrix::Constant(1, 3, 5)).empty());
  Matrix x = Matrix::Constant(50, 3, 5);
  CHECK(find_outliers(x).empty());
  x(4, 1) = 6;
  CHECK(find_outliers(x).empty());
}

}  // namespace parsimap::test
