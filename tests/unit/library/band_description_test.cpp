#include <doctest/doctest.h>

#include <string>

#include "library/formats.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("where bands come from is written and read again") {
  const BandOrigin origin{8, {0, 1, 2, 5}, {{3, "constant"}, {4, "constant"}, {6, "no data"}, {7, "left out"}}};
  CHECK(band_ranges(origin.bands) == "1-3 6");
  CHECK(dropped_ranges(origin.dropped) == "constant: 4-5; no data: 7; left out: 8");
  const auto read = band_origin_of("8", band_ranges(origin.bands), dropped_ranges(origin.dropped), 4, "a.gpkg");
  REQUIRE(read);
  CHECK(*read == origin);
  CHECK_FALSE(band_origin_of("", "1-3", "", 3, "a.gpkg"));
  CHECK(band_origin_of("3", "1-3", "", 3, "a.gpkg")->dropped.empty());
}

TEST_CASE("texts that do not make up a scene are refused") {
  const auto message = [](const std::string& scene, const std::string& bands, const std::string& dropped) {
    return message_of([&] { band_origin_of(scene, bands, dropped, 3, "a.gpkg"); });
  };
  CHECK(message("3", "1-2", "").find("do not make up the 3 bands") != std::string::npos);
  CHECK(message("4", "1-3", "constant: 3").find("do not make up") != std::string::npos);
  CHECK(message("3", "2-4", "").find("do not make up") != std::string::npos);
  CHECK(message("x", "1-3", "").find("number of bands") != std::string::npos);
  CHECK(message("0", "1-3", "").find("number of bands") != std::string::npos);
  for (const char* bands : {"3-1", "-1", "a", "1 1 2", "0-2", "1-999999999"}) {
    CAPTURE(bands);
    CHECK(message("3", bands, "").find("must be ranges of bands") != std::string::npos);
  }
}

}  // namespace parsimap::test
