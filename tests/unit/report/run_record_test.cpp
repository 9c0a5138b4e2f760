#include "parsimap/report/run_record.hpp"

#include <doctest/doctest.h>

namespace parsimap::test {

TEST_CASE("before a map is made every class has no pixel") {
  ClassTable classes(2);
  classes[0].code = 7;
  classes[0].name = "grass";
  classes[1].code = 9;
  classes[1].name = "water";
  const std::vector<ClassPixels> pixels = without_pixels(classes);
  REQUIRE(pixels.size() == 2);
  CHECK(pixels[0].code == 7);
  CHECK(pixels[0].name == "grass");
  CHECK(pixels[1].code == 9);
  CHECK(pixels[1].name == "water");
  CHECK(pixels[0].pixels + pixels[1].pixels == 0);
}

}  // namespace parsimap::test
