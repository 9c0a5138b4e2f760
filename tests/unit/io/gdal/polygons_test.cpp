#include "parsimap/io/gdal/polygons.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/labels.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

using Names = std::vector<std::string>;

namespace {

ClassPolygon square(double column, double row, double size, const std::string& name, const std::string& split) {
  const double x = 500000 + column;
  const double y = 4000000 - row;
  return {{{x, y}, {x + size, y}, {x + size, y - size}, {x, y - size}, {x, y}}, name, split};
}

const std::vector<ClassPolygon> squares{square(0, 0, 3, "oak", "train"), square(5, 5, 2, "pine", "train"),
                                        square(5, 0, 4, "oak", "test")};

}  // namespace

TEST_CASE("written polygons are labels again") {
  const TemporaryFolder folder;
  for (const char* name : {"a.gpkg", "a.geojson", "a.shp"}) {
    const std::string path = folder.file(name);
    write_polygons(path, wkt(32617), "species", squares, false);
    CAPTURE(path);
    const LabelledPixels labels = read_labels(path, {"species", "split = 'train'"}, utm_grid(10, 10), "s");
    CHECK(labels.classes == ClassTable{{1, "oak", {}}, {2, "pine", {}}});
    CHECK(labels.pixels.size() == 13);
    CHECK(labels.conflicting == 0);
    CHECK(read_labels(path, {"species", std::nullopt}, utm_grid(10, 10), "s").pixels.size() == 29);
  }
}

TEST_CASE("polygons without CRS, and refusals that leave nothing") {
  const TemporaryFolder folder;
  write_polygons(folder.file("a.gpkg"), "", "species", squares, false);
  CHECK(read_labels(folder.file("a.gpkg"), {"species", std::nullopt}, utm_grid(10, 10), "s").pixels.size() == 29);
  CHECK(contains(message_of<ConfigError>([&] { write_polygons(folder.file("a.gpkg"), "", "x", squares, false); }),
                 "exists already"));
  write_polygons(folder.file("a.gpkg"), "", "x", {squares[0]}, true);
  CHECK(read_labels(folder.file("a.gpkg"), {"x", std::nullopt}, utm_grid(10, 10), "s").pixels.size() == 9);
  CHECK(contains(message_of<ConfigError>([&] { write_polygons(folder.file("a.txt5"), "", "x", squares, false); }),
                 "no vector format"));
  CHECK(folder.names() == Names{"a.gpkg"});
}
