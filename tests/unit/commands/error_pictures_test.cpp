#include "commands/error_pictures.hpp"

#include <doctest/doctest.h>

#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "commands/page_pictures.hpp"
#include "support/small_scene.hpp"

namespace parsimap::test {

TEST_CASE("the map beside its right and wrong pixels, with its classes in the legend") {
  const SmallScene& small = SmallScene::instance();
  const auto map = open_class_map(small.map());
  const LabelledPixels reference = read_labels({small.reference()}, {}, map->grid(), "map");
  const ErrorPictures pictures = error_pictures(*map, reference, compare(*map, reference, "reference"));
  REQUIRE(pictures.images.size() == 2);
  CHECK(pictures.images[0].name == "Map");
  CHECK(pictures.images[0].source != pictures.images[1].source);
  CHECK(pictures.width == 30);
  CHECK(pictures.height == 24);
  REQUIRE(pictures.legend.size() == 2);
  CHECK(pictures.legend[0].name == map->classes()[0].name);
  CHECK(pictures.right == kRightColour);
  CHECK(pictures.wrong == kWrongColour);
  CHECK_FALSE(pictures.sheet);
}

}  // namespace parsimap::test
