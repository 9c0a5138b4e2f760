#include "parsimap/io/gdal/points.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/labels.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

const std::vector<PointField> fields{{"class", PointFieldKind::text}, {"row", PointFieldKind::integer}};

void write_points(const std::string& path, const RasterGrid& grid) {
  const auto sink = create_points(path, grid, fields, false);
  sink->add(0, {std::string("oak"), std::int64_t{0}});
  sink->add(95, {std::string("pine, old"), std::int64_t{9}});
  sink->add(7, {std::monostate(), std::int64_t{0}});
  sink->close();
  sink->commit();
}

}  // namespace

TEST_CASE("points are labels of the pixels they were made from, georeferenced or not") {
  const TemporaryFolder folder;
  RasterGrid bare = utm_grid(10, 10);
  bare.geotransform.reset();
  bare.crs.clear();
  for (const RasterGrid& grid : {utm_grid(10, 10), bare}) {
    const std::string path = folder / (grid.crs.empty() ? "bare.gpkg" : "utm.gpkg");
    write_points(path, grid);
    const LabelledPixels labels = read_labels(path, {"class", std::nullopt}, grid, "s");
    CHECK(labels.classes == ClassTable{{1, "oak", {}}, {2, "pine, old", {}}});
    REQUIRE(labels.pixels.size() == 2);
    CHECK(labels.pixels[0].pixel == 0);
    CHECK(labels.pixels[1].pixel == 95);
  }
}

TEST_CASE("a table of points") {
  const TemporaryFolder folder;
  write_points(folder / "a.csv", utm_grid(10, 10));
  std::ifstream file(folder / "a.csv");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(text.starts_with("X,Y,class,row\r\n500000.5,3999999.5,oak,0\r\n500005.5,3999990.5,\"pine, old\",9\r\n"));
}

TEST_CASE("points that are not committed leave nothing, and existing ones stay") {
  const TemporaryFolder folder;
  { create_points(folder / "a.gpkg", utm_grid(10, 10), fields, false)->add(0, {std::string("x"), std::int64_t{1}}); }
  CHECK(folder.names().empty());
  write_points(folder / "a.gpkg", utm_grid(10, 10));
  CHECK(contains(message_of<ConfigError>([&] { check_points_target(folder / "a.gpkg", false); }), "exists already"));
  CHECK(contains(message_of<ConfigError>([&] { check_points_target(folder / "a.txt5", false); }), "no vector format"));
  CHECK(folder.names() == std::vector<std::string>{"a.gpkg"});
}
