#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "library/formats.hpp"

namespace parsimap::test {

TEST_CASE("a single spectrum is called like its file, and has no infinite value") {
  CHECK(stem_of("a/b.c.ASD") == "b.c");
  CHECK(extension_of("a/b.c.ASD") == ".asd");
  const SpectralLibrary library =
      single_spectrum("a/b.asd", "format", {0.5, std::numeric_limits<double>::infinity(), 1e300}, {350, 351, 352});
  CHECK(library.names.front() == "b");
  CHECK(library.values.front().front() == "b.asd");
  CHECK(library.spectra(0, 0) == 0.5F);
  CHECK(std::isnan(library.spectra(0, 1)));
  CHECK(std::isnan(library.spectra(0, 2)));
  CHECK(library.bands[2].wavelength == 352);
  check_library(library);
}

}  // namespace parsimap::test
