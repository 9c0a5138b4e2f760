#include "parsimap/gdal/vector/memory_labels.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/vector/labels.hpp"

namespace parsimap::test {

TEST_CASE("a document in memory is read like a file of labels, in reference systems as WKT, and is gone afterwards") {
  RasterGrid grid;
  grid.width = 4;
  grid.height = 3;
  const std::string document =
      R"({"type": "FeatureCollection", "crs": null, "features": [
        {"type": "Feature", "id": 1, "properties": {"class": "a"},
         "geometry": {"type": "MultiPoint", "coordinates": [[0.5, 0.5], [3.5, 2.5]]}},
        {"type": "Feature", "id": 2, "properties": {"class": "b"},
         "geometry": {"type": "Polygon", "coordinates": [[[1, 1], [3, 1], [3, 2], [1, 2], [1, 1]]]}}]})";
  LabelOptions options;
  options.class_field = "class";
  options.separate_parts = true;
  std::string path;
  {
    const MemoryLabels labels(document);
    const MemoryLabels others(document);
    path = labels.path();
    CHECK(path != others.path());
    const LabelledPixels read = read_labels(path, options, grid, "grid");
    REQUIRE(read.pixels.size() == 4);
    CHECK(read.pixels[0].pixel == 0);
    CHECK(read.pixels[1].pixel == 5);
    CHECK(read.pixels[2].pixel == 6);
    CHECK(read.pixels[3].pixel == 11);
    CHECK(read.feature_of(read.pixels[1].region) == 2);
    CHECK(read.feature_of(read.pixels[3].region) == 1);
  }
  CHECK_THROWS_AS(read_labels(path, options, grid, "grid"), DataError);
}

}  // namespace parsimap::test
