#include "parsimap/scene/small_classes.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

TEST_CASE("small classes leave the table with their pixels, the others stay what they are") {
  LabelledPixels labels;
  labels.classes = {
      {3, "bog", {}}, {4, "oak", Colour{1, 2, 3}}, {9, "stone", {}}, {12, "water", {}}, {20, "empty", {}}};
  labels.pixels = {{0, 1, 5}, {2, 0, 6}, {3, 3, 7}, {4, 3, 7}, {8, 2, 8}, {9, 1, 5}};
  CHECK(class_sizes(labels) == std::vector<Index>{1, 2, 1, 2, 0});
  LabelledPixels same = labels;
  CHECK(drop_small_classes(same, class_sizes(same), 0).empty());
  CHECK(same.classes == labels.classes);
  CHECK(same.pixels.size() == 6);
  const std::vector<SmallClass> dropped = drop_small_classes(labels, class_sizes(labels), 2);
  REQUIRE(dropped.size() == 3);
  CHECK(dropped[0].name == "bog");
  CHECK(dropped[0].pixels == 1);
  CHECK(dropped[1].name == "stone");
  CHECK(dropped[2].name == "empty");
  CHECK(dropped[2].pixels == 0);
  CHECK(labels.classes == ClassTable{{4, "oak", Colour{1, 2, 3}}, {12, "water", {}}});
  REQUIRE(labels.pixels.size() == 4);
  CHECK(class_sizes(labels) == std::vector<Index>{2, 2});
  CHECK(labels.pixels[1].pixel == 3);
  CHECK(labels.pixels[1].label == 1);
  CHECK(labels.pixels[1].region == 7);
}
