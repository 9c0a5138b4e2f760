#include "library/envi_values.hpp"

#include <doctest/doctest.h>

#include <string>

namespace parsimap::test {

TEST_CASE("types of ENVI have their sizes, and complex ones none") {
  CHECK(envi_type_bytes(1) == 1);
  CHECK(envi_type_bytes(12) == 2);
  CHECK(envi_type_bytes(4) == 4);
  CHECK(envi_type_bytes(15) == 8);
  for (const Index type : {-1, 0, 6, 9, 16}) {
    CHECK(envi_type_bytes(type) == 0);
  }
}

TEST_CASE("numbers are read row by row in either byte order") {
  const Spectra little = envi_values(std::string("\1\0\2\0\3\0\xff\xff", 8), 2, false, 2, 2);
  const Spectra big = envi_values(std::string("\0\1\0\2\0\3\xff\xff", 8), 2, true, 2, 2);
  CHECK(little == big);
  CHECK(little(0, 1) == 2);
  CHECK(little(1, 1) == -1);
}

}  // namespace parsimap::test
