#include "library/wavelength_header.hpp"

#include <doctest/doctest.h>

namespace parsimap::test {

TEST_CASE("headers that mean wavelengths") {
  CHECK(*wavelength_of_header("460") == 460);
  CHECK(*wavelength_of_header(" 460.5 nm ") == 460.5);
  CHECK(*wavelength_of_header("0.46") == doctest::Approx(460));
  CHECK(*wavelength_of_header("0.46 Micrometers") == doctest::Approx(460));
  CHECK(*wavelength_of_header("b12_460.5_nm") == 460.5);
  CHECK(*wavelength_of_header("b12 460.5 [nm]") == 460.5);
  CHECK(*wavelength_of_header("X460.5") == 460.5);
}

TEST_CASE("headers that mean something else") {
  for (const char* header :
       {"", "class", "b12", "B4", "460 days", "-460", "0", "X", "b1_", "1.2.3", "2019-03-01", "4a"}) {
    CAPTURE(header);
    CHECK_FALSE(wavelength_of_header(header));
  }
}

}  // namespace parsimap::test
