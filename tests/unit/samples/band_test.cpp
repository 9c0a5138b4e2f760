#include "parsimap/samples/band.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("a list of bands counts from one and joins neighbours") {
  CHECK(band_list({}).empty());
  CHECK(band_list({0}) == "1");
  CHECK(band_list({0, 1}) == "1-2");
  CHECK(band_list({2, 6, 7, 8, 11}) == "3, 7-9, 12");
}

TEST_CASE("dropped bands by reason") {
  CHECK(bands_by_reason({}).empty());
  const auto groups = bands_by_reason({{0, "constant"}, {3, "no data"}, {4, "constant"}});
  REQUIRE(groups.size() == 2);
  CHECK(groups[0] == std::pair<std::string, Indices>{"constant", {0, 4}});
  CHECK(groups[1] == std::pair<std::string, Indices>{"no data", {3}});
}

TEST_CASE("wavelengths of bands are known for all of them or for none") {
  const BandTable table = {{.wavelength = 450}, {.wavelength = 550}, {}};
  CHECK(wavelengths_of(table, {1, 0}) == std::vector<double>{550, 450});
  CHECK(wavelengths_of(table, {0, 2}).empty());
}
