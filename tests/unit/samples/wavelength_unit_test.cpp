#include "parsimap/samples/wavelength_unit.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("wavelengths become nanometres") {
  CHECK(wavelength_nanometres(450, "Nanometers") == 450.0);
  CHECK(wavelength_nanometres(450, "nm") == 450.0);
  CHECK(*wavelength_nanometres(0.45, "Micrometers") == doctest::Approx(450));
  CHECK(*wavelength_nanometres(0.45, "um") == doctest::Approx(450));
  CHECK(*wavelength_nanometres(0.45, "\xc2\xb5m") == doctest::Approx(450));
  CHECK(*wavelength_nanometres(0.45, "") == doctest::Approx(450));
  CHECK(wavelength_nanometres(2400, "Unknown") == 2400.0);
  CHECK(*wavelength_nanometres(4500, "Angstroms") == doctest::Approx(450));
  CHECK_FALSE(wavelength_nanometres(1000, "Wavenumber").has_value());
  CHECK_FALSE(wavelength_nanometres(1, "GHz").has_value());
}
