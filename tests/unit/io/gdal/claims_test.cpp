#include "io/gdal/claims.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("claims are settled: two classes drop a pixel, the first feature of one class keeps it") {
  gdal::Claims claims(false);
  claims.begin_file();
  for (const int code : {20, 10}) {
    claims.add_class(code);
  }
  claims.add({5, 6}, 20, 1);
  claims.add({6, 7}, 20, 2);
  claims.add({7, 8}, 10, 3);
  const LabelledPixels labels = claims.settle();
  CHECK(labels.classes == ClassTable{{10, "10", {}}, {20, "20", {}}});
  CHECK(labels.conflicting == 1);
  REQUIRE(labels.pixels.size() == 3);
  CHECK(labels.pixels[1].pixel == 6);
  CHECK(labels.pixels[1].label == 1);
  CHECK(labels.pixels[1].region == 1);
  CHECK(labels.pixels[2].pixel == 8);
  CHECK(labels.pixels[2].label == 0);
}

TEST_CASE("more texts than a map has values are refused") {
  gdal::Claims claims(true);
  for (int i = 0; i < 65536; ++i) {
    claims.add_class(claims.key_of(std::to_string(i)));
  }
  CHECK(message_of<DataError>([&] { (void)claims.settle(); }) ==
        "the labels have 65536 different texts; a map holds 65535 classes.");
}
