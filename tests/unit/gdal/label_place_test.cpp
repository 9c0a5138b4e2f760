#include "gdal/label_place.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("what names no reference system is taken to share the other's, which is told") {
  std::vector<std::string> messages;
  RasterGrid bare = utm_grid(4, 4);
  bare.crs.clear();
  CHECK(crs_of_labels("a", "", std::nullopt, utm_grid(4, 4), "scene.tif", messages).empty());
  REQUIRE(messages.size() == 1);
  CHECK(contains(messages[0],
                 "a names no coordinate reference system: its coordinates are taken to be in that of "
                 "scene.tif, EPSG:32617 ("));
  CHECK(crs_of_labels("a", wkt(32618), std::nullopt, bare, "scene.tif", messages).empty());
  REQUIRE(messages.size() == 2);
  CHECK(contains(messages[1],
                 "scene.tif names no coordinate reference system: it is taken to be in that of a, EPSG:32618"));
  CHECK(crs_of_labels("a", "", std::nullopt, bare, "scene.tif", messages).empty());
  CHECK(same_crs(crs_of_labels("a", wkt(32618), std::nullopt, utm_grid(4, 4), "s", messages), wkt(32618)));
  CHECK(messages.size() == 2);
}

TEST_CASE("a reference system that the user names is that of labels without one") {
  std::vector<std::string> messages;
  CHECK(same_crs(crs_of_labels("a", "", 32618, utm_grid(4, 4), "s", messages), wkt(32618)));
  CHECK(same_crs(crs_of_labels("a", wkt(32618), 32618, utm_grid(4, 4), "s", messages), wkt(32618)));
  CHECK(messages.empty());
  CHECK(contains(message_of<ConfigError>(
                     [&] { static_cast<void>(crs_of_labels("a", wkt(32617), 32618, utm_grid(4, 4), "s", messages)); }),
                 "a is in EPSG:32617"));
  CHECK(transformation_between(wkt(32617), "", "a") == nullptr);
  CHECK(transformation_between(wkt(32617), wkt(32617), "a") == nullptr);
  CHECK(transformation_between(wkt(32617), wkt(32618), "a") != nullptr);
}
