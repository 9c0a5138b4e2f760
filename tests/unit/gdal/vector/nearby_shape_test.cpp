#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "parsimap/core/error.hpp"

#include "gdal/vector/rasterise.hpp"

using namespace parsimap;

namespace {

std::unique_ptr<OGRGeometry> shape_of(const std::string& wkt) {
  OGRGeometry* geometry = nullptr;
  OGRGeometryFactory::createFromWkt(wkt.c_str(), nullptr, &geometry);
  REQUIRE(geometry != nullptr);
  return std::unique_ptr<OGRGeometry>(geometry);
}

OGREnvelope box() {
  OGREnvelope envelope;
  envelope.Merge(-10, -10);
  envelope.Merge(10, 10);
  return envelope;
}

std::string cut(const std::string& wkt) {
  const auto part = part_in_box(*shape_of(wkt), box());
  return part == nullptr ? "whole" : part->exportToWkt();
}

}  // namespace

TEST_CASE("what lies in the box, and points, are not cut") {
  CHECK(cut("LINESTRING (0 0,10 10,-10 5)") == "whole");
  CHECK(cut("POLYGON ((0 0,5 0,5 5,0 0))") == "whole");
  CHECK(cut("POINT (50 50)") == "whole");
}

TEST_CASE("lines keep what lies in the box") {
  CHECK(cut("LINESTRING (0 0,2e10 1e10)") == "MULTILINESTRING ((0 0,10 5))");
  CHECK(cut("LINESTRING (-20 0,20 0,20 5)") == "MULTILINESTRING ((-10 0,10 0))");
  CHECK(cut("LINESTRING (20 0,30 0)") == "MULTILINESTRING EMPTY");
  // Past a corner, where both ends are beyond different edges.
  CHECK(cut("LINESTRING (0 30,30 0)") == "MULTILINESTRING EMPTY");
}

TEST_CASE("polygons keep what lies in the box, holes too") {
  const auto around = part_in_box(*shape_of("POLYGON ((-1e9 -1e9,1e9 -1e9,1e9 1e9,-1e9 1e9,-1e9 -1e9),"
                                            "(-5 -5,5 -5,5 5,-5 5,-5 -5))"),
                                  box());
  REQUIRE(around != nullptr);
  CHECK(around->toPolygon()->get_Area() == doctest::Approx(400 - 100));
  const auto half = part_in_box(*shape_of("POLYGON ((0 -50,50 -50,50 50,0 50,0 -50))"), box());
  CHECK(half->toPolygon()->get_Area() == doctest::Approx(200));
  CHECK(part_in_box(*shape_of("POLYGON ((20 20,30 20,30 30,20 20))"), box())->IsEmpty());
}

TEST_CASE("coordinates that are no numbers, and absurd ones, are found at any depth") {
  CHECK(has_usable_coordinates(*shape_of("GEOMETRYCOLLECTION (POINT (1 2),POLYGON ((0 0,1 0,1 1,0 0)))")));
  CHECK(has_usable_coordinates(*shape_of("POINT EMPTY")));
  OGRLineString line;
  line.addPoint(0, 0);
  line.addPoint(1, std::numeric_limits<double>::quiet_NaN());
  CHECK_FALSE(has_usable_coordinates(line));
  OGRGeometryCollection collection;
  collection.addGeometry(&line);
  CHECK_FALSE(has_usable_coordinates(collection));
  CHECK_FALSE(has_usable_coordinates(OGRPoint(std::numeric_limits<double>::infinity(), 0)));
  CHECK_FALSE(has_usable_coordinates(OGRPoint(1e200, 0)));
}
