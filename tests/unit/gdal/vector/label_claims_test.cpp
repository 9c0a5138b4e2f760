#include "gdal/vector/label_claims.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

// The labels of a table with this content, on utm_grid(10, 10).
LabelledPixels read_point_table(const TemporaryFolder& folder, const std::string& content,
                                const LabelOptions& options) {
  write_file(folder.file("points.csv"), content);
  return read_labels(folder.file("points.csv"), options, utm_grid(10, 10), "scene.tif");
}

std::vector<std::int64_t> pixel_numbers(const LabelledPixels& labels) {
  std::vector<std::int64_t> pixels;
  for (const LabelledPixel& pixel : labels.pixels) {
    pixels.push_back(pixel.pixel);
  }
  return pixels;
}

}  // namespace

TEST_CASE("points of a table are where the columns of the usual names say, in the CRS of the scene") {
  const TemporaryFolder folder;
  const LabelledPixels labels = read_point_table(
      folder, "id,X,Y,class\n1,500000.5,3999999.5,oak\n2,500009.5,3999990.5,ash\n3,,,ash\n4,500003,3999999.5,\n",
      {"class", std::nullopt});
  CHECK(pixel_numbers(labels) == std::vector<std::int64_t>{0, 99});
  CHECK(labels.classes == ClassTable{{1, "ash", {}}, {2, "oak", {}}});
  CHECK(labels.outside == 1);  // the row without coordinates
  REQUIRE(labels.messages.size() == 3);
  CHECK(
      labels.messages[2].ends_with("points.csv: features left out because they have no class in the field 'class': 1"));
  CHECK(labels.messages[0] == folder.file("points.csv") + ": points are at the columns 'X' and 'Y'");
  CHECK(contains(labels.messages[1], "taken to be in that of scene.tif, EPSG:32617"));
}

TEST_CASE("columns that are called longitude and latitude are degrees; whole numbers are codes") {
  const TemporaryFolder folder;
  // The middle of pixel 0 of the grid; EPSG:32617 has its central meridian at 81 degrees west.
  const LabelledPixels labels =
      read_point_table(folder, "code;Longitude;Latitude\n12;-80.99999446;36.14471362\n", {"code", std::nullopt});
  CHECK(pixel_numbers(labels).size() == 1);
  CHECK(labels.classes == ClassTable{{12, "12", {}}});
  CHECK(labels.messages == std::vector<std::string>{folder.file("points.csv") +
                                                    ": points are at the columns 'Longitude' and 'Latitude', in "
                                                    "degrees (EPSG:4326)"});
  // Words may precede, and the columns of an accuracy are none of coordinates. Of two pairs the user chooses.
  const std::string darwin = "decimalLatitude;decimalLongitude;lon_accuracy;code";
  const std::string row = "36.14471362;-80.99999446;3;12";
  const LabelledPixels longer = read_point_table(folder, darwin + "\n" + row + "\n", {"code", std::nullopt});
  CHECK(pixel_numbers(longer) == pixel_numbers(labels));
  CHECK(longer.messages.back().ends_with("'decimalLongitude' and 'decimalLatitude', in degrees (EPSG:4326)"));
  const std::string both = darwin + ";GPS_LON;GPS_LAT\n" + row + ";0;0\n";
  CHECK(contains(message_of<DataError>([&] {
                   read_point_table(folder, both, {"code", std::nullopt});
                 }),
                 "several pairs of columns of coordinates that are called like x and y or lon and lat; name them"));
}

TEST_CASE("columns and the reference system may be named") {
  const TemporaryFolder folder;
  LabelOptions options{"class", std::nullopt};
  options.x_field = "e";
  options.y_field = "n";
  options.epsg = 32617;
  const LabelledPixels labels = read_point_table(folder, "e,n,class,x,y\n500001.5,3999999.5,oak,0,0\n", options);
  CHECK(pixel_numbers(labels) == std::vector<std::int64_t>{1});
  CHECK(labels.messages.size() == 1);
  options.y_field = "north";
  CHECK(contains(message_of<ConfigError>([&] { read_point_table(folder, "e,n,class\n1,2,oak\n", options); }),
                 "there is no column 'north' of coordinates; it has e (Integer), n (Integer), class (String)"));
}

TEST_CASE("what the user says of the reference system counts before a local one alone") {
  OGRSpatialReference site;
  site.SetLocalCS("site grid");
  std::vector<std::string> messages;
  const auto crs = [&](const std::string& own, std::optional<int> epsg) {
    return crs_of_labels("a.gpkg", own, epsg, utm_grid(10, 10), "scene.tif", messages);
  };
  CHECK(crs(wkt_of(&site), 32617) == crs_from_epsg(32617));
  CHECK(crs(wkt_of(&site), {}) == wkt_of(&site));
  CHECK(contains(message_of<ConfigError>([&] { crs(crs_from_epsg(32618), 32617); }), "but --crs says EPSG:32617"));
}

TEST_CASE("a table without columns of coordinates, and coordinates that are no numbers, are refused") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& content) {
    return message_of<DataError>([&] { read_point_table(folder, content, {"class", std::nullopt}); });
  };
  CHECK(contains(refused("class,height\noak,3\n"),
                 "no columns of coordinates that are called like x and y or lon and "
                 "lat; name them (--x, --y): it has class (String), height (Integer)"));
  CHECK(contains(refused("class,x,y\noak,500000.5,here\n"), "row 1 has y = 'here'; coordinates are numbers"));
  CHECK(contains(refused("class,x,y\noak,1,1\n"), "no feature owns a pixel of scene.tif"));
  write_file(folder.file("a.geojson"), R"({"type": "FeatureCollection", "features": [{"type": "Feature",
    "properties": {"class": "oak"}, "geometry": {"type": "Point", "coordinates": [1, 2]}}]})");
  LabelOptions options{"class", std::nullopt};
  options.x_field = "x";
  options.y_field = "y";
  CHECK(contains(message_of<ConfigError>([&] { read_labels(folder.file("a.geojson"), options, utm_grid(4, 4), "s"); }),
                 "has geometries; --x and --y are for tables"));
}
