#include "parsimap/samples/robust_centre.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

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
