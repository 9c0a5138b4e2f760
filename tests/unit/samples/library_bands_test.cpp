#include "parsimap/samples/library_bands.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"

namespace parsimap::test {
namespace {

// A library of straight lines: the value at a wavelength is the wavelength, and twice that.
SpectralLibrary lines(double first, double step, int bands) {
  SpectralLibrary library;
  library.path = "lines.sli";
  library.names = {"a", "b"};
  library.values.resize(2);
  library.spectra.resize(2, bands);
  for (int b = 0; b < bands; ++b) {
    const double wavelength = first + step * b;
    library.bands.push_back({.wavelength = wavelength, .fwhm = step});
    library.spectra(0, b) = static_cast<float>(wavelength);
    library.spectra(1, b) = static_cast<float>(2 * wavelength);
  }
  return library;
}

}  // namespace

TEST_CASE("the bands of another library are found, or computed by their widths") {
  SpectralLibrary coarse = lines(500, 10, 20);
  append_in_bands(coarse, lines(480, 2, 150));
  REQUIRE(coarse.size() == 4);
  for (Index b = 0; b < coarse.spectra.cols(); ++b) {
    CHECK(coarse.spectra(2, b) == doctest::Approx(coarse.spectra(0, b)).epsilon(1e-5));
    CHECK(coarse.spectra(3, b) == doctest::Approx(coarse.spectra(1, b)).epsilon(1e-5));
  }
  SpectralLibrary same = lines(500, 10, 20);
  append_in_bands(same, lines(500, 10, 20));
  CHECK(same.spectra.row(2) == same.spectra.row(0));
}

TEST_CASE("a band without a value makes none, and bands that are not covered are refused") {
  SpectralLibrary fine = lines(480, 2, 150);
  fine.spectra(0, 10) = std::nanf("");  // at 500 nm
  SpectralLibrary coarse = lines(500, 10, 20);
  append_in_bands(coarse, fine);
  CHECK(std::isnan(coarse.spectra(2, 0)));
  CHECK_FALSE(std::isnan(coarse.spectra(2, 10)));
  CHECK_FALSE(std::isnan(coarse.spectra(3, 0)));
  CHECK_THROWS_AS(append_in_bands(coarse, lines(600, 2, 20)), DataError);
}

}  // namespace parsimap::test
