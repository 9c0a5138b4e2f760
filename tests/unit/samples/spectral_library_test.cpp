#include "parsimap/samples/spectral_library.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"

#include "support/toy_library.hpp"

namespace parsimap::test {

TEST_CASE("attributes of libraries that are joined lie in columns of their names") {
  SpectralLibrary first = toy::library();
  SpectralLibrary second = toy::library();
  second.attributes = {"level", "class"};
  second.values = {{"1", "a"}, {"2", "b"}, {"3", "c"}};
  append(first, second);
  CHECK(first.size() == 6);
  CHECK(first.attributes == std::vector<std::string>{"class", "note", "level"});
  CHECK(first.values[0] == std::vector<std::string>{"tree", "", ""});
  CHECK(first.values[4] == std::vector<std::string>{"b", "", "2"});
  CHECK(first.names[5] == "sand");
  CHECK(first.spectra(4, 1) == 4);
  check_library(first);
}

TEST_CASE("bands are the same by their wavelengths, or by their number where there are none") {
  BandTable first = toy::library().bands;
  BandTable second = first;
  second[0].wavelength = 450.005;
  CHECK(same_wavelengths(first, second));
  second[0].wavelength = 450.02;
  CHECK_FALSE(same_wavelengths(first, second));
  second[0].wavelength.reset();
  CHECK_FALSE(same_wavelengths(first, second));
  CHECK(same_wavelengths(BandTable(2), BandTable(2)));
  CHECK_FALSE(same_wavelengths(BandTable(2), BandTable(3)));
  CHECK_FALSE(same_wavelengths(BandTable(2), first));
  SpectralLibrary library = toy::library();
  SpectralLibrary other = toy::library();
  other.bands[1].wavelength = 600;
  CHECK_THROWS_AS(append(library, other), DataError);
}

TEST_CASE("an attribute is found by its name, whatever its case") {
  SpectralLibrary library = toy::library();
  library.attributes = {"Level", "NOTE"};
  CHECK(attribute_column(library, "Level") == 0);
  CHECK(attribute_column(library, "note") == 1);
  library.attributes = {"Note", "NOTE"};
  CHECK(attribute_column(library, "NOTE") == 1);
  CHECK_FALSE(attribute_column(library, "note"));
}

TEST_CASE("a part of a library has the names and attributes of its spectra") {
  const SpectralLibrary part = subset(toy::library(), {2, 0});
  CHECK(part.names == std::vector<std::string>{"sand", "oak"});
  CHECK(part.values[0][0] == "soil");
  CHECK(part.spectra(1, 1) == 2);
  check_library(part);
}

TEST_CASE("a library whose lists do not fit its spectra is refused") {
  SpectralLibrary library = toy::library();
  library.names.pop_back();
  CHECK_THROWS_AS(check_library(library), DataError);
  library = toy::library();
  library.values[1].pop_back();
  CHECK_THROWS_AS(check_library(library), DataError);
  CHECK_THROWS_AS(check_library(SpectralLibrary{}), DataError);
}

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
