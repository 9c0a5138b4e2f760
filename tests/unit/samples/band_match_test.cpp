#include "parsimap/samples/band_match.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

namespace {

BandTable at(const std::vector<double>& wavelengths) {
  BandTable bands;
  for (const double wavelength : wavelengths) {
    bands.push_back({.wavelength = wavelength});
  }
  return bands;
}

}  // namespace

TEST_CASE("bands of one scene in another: those without a partner are told, the others found") {
  const WantedBands wanted{at({400, 410, 430}), {2, 3, 5}, 9, "of a.tif that are used", "a.tif"};
  const BandMatch match = match_bands(wanted, at({431, 402}), "b.tif");
  CHECK(match.found == Indices{1, kNoBand, 0});
  CHECK_FALSE(match.complete());
  CHECK(matched(match) == Indices{0, 2});
  CHECK(unmatched(match) == Indices{1});
  CHECK(match.misfit ==
        "b.tif lacks 1 of the 3 bands of a.tif that are used (a band of its own within 5 nm); of a.tif these are the "
        "bands 4 (410 nm)");
  CHECK(match_bands(wanted, at({430, 410, 400}), "b.tif").complete());
}

TEST_CASE("another number of bands finds none of them") {
  const WantedBands wanted{BandTable(2), {0, 3}, 4, "of a.tif that are used", "a.tif"};
  const BandMatch match = match_bands(wanted, BandTable(5), "b.tif");
  CHECK(matched(match).empty());
  CHECK(match.misfit ==
        "b.tif has 5 bands, but a.tif has 4 bands; without wavelengths or names in both they must be the same bands");
  CHECK(match_bands(wanted, BandTable(4), "b.tif").found == Indices{0, 3});
}
