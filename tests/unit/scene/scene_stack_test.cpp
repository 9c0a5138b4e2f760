#include "parsimap/scene/scene_stack.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/samples/band.hpp"

#include "support/memory_scene.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/scene/plain_scene.hpp"

namespace parsimap::test {
namespace {

// Every value says where it is: 1000 * first + 100 * band + 10 * row + column.
MemoryScene scene_of_places(const std::string& name, Index width, Index height, Index bands, int first) {
  Spectra values(width * height, bands);
  for (Index pixel = 0; pixel < values.rows(); ++pixel) {
    for (Index band = 0; band < bands; ++band) {
      values(pixel, band) = static_cast<float>(1000 * first + 100 * band + 10 * (pixel / width) + pixel % width);
    }
  }
  return plain_scene(name, width, height, values);
}

}  // namespace

TEST_CASE("scenes lie below each other, at storage blocks of their own, with something between them") {
  MemoryScene a = scene_of_places("a.tif", 5, 4, 3, 1);
  MemoryScene b = scene_of_places("b.tif", 7, 3, 2, 2);
  MemoryScene c = scene_of_places("c.tif", 2, 2, 3, 3);
  a.set_block_size(5, 2);
  b.set_block_size(4, 3);
  SceneStack stack({{&a, {0, 1, 2}}, {&b, {1, kNoBand, 0}}, {&c, {0, 1, 2}}}, {{"x"}, {"y"}, {"z"}});
  CHECK(stack.name() == "a.tif and 2 more scenes");
  CHECK(stack.grid().width == 7);
  CHECK(stack.block_width() == 5);
  CHECK(stack.block_height() == 3);
  CHECK(stack.grid().height == 14);  // 4 rows from 0, 3 from 6, 2 from 12
  CHECK(stack.bands()[2].name == "z");
  CHECK_FALSE(stack.grid().geotransform);
  for (std::size_t scene = 0; scene < 3; ++scene) {
    for (std::int64_t pixel = 0; pixel < stack.scene(scene).grid().pixels(); ++pixel) {
      const SceneStack::Place place = stack.place_of(stack.pixel_of(scene, pixel));
      CHECK(place.scene == scene);
      CHECK(place.pixel == pixel);
      CHECK(place.row * stack.scene(scene).grid().width + place.column == pixel);
    }
  }
  CHECK(stack.pixel_of(1, 8) == 7 * 7 + 1);

  Spectra all;
  stack.read({0, 0, 7, 14}, {0, 1, 2}, all);
  const auto at = [&](Index column, Index row, Index band) { return all(row * 7 + column, band); };
  CHECK(at(3, 2, 1) == 1123);
  CHECK(std::isnan(at(5, 2, 0)));
  CHECK(std::isnan(at(0, 4, 0)));
  CHECK(at(6, 7, 0) == 2116);
  CHECK(at(6, 7, 2) == 2016);
  CHECK(std::isnan(at(6, 7, 1)));
  CHECK(at(1, 13, 2) == 3211);
  // Any window, in any order of bands.
  Spectra part;
  stack.read({2, 3, 4, 5}, {2, 0}, part);
  for (Index row = 0; row < 5; ++row) {
    for (Index column = 0; column < 4; ++column) {
      for (Index k = 0; k < 2; ++k) {
        const float expected = at(column + 2, row + 3, k == 0 ? 2 : 0);
        const float found = part(row * 4 + column, k);
        CHECK((found == expected || (std::isnan(found) && std::isnan(expected))));
      }
    }
  }
  CHECK(stack.known_empty({0, 4, 7, 2}));
  CHECK_FALSE(stack.known_empty({0, 3, 7, 2}));
}

TEST_CASE("a stack of two is called like both") {
  MemoryScene a = scene_of_places("a.tif", 2, 2, 1, 1);
  MemoryScene b = scene_of_places("b.tif", 2, 2, 1, 2);
  CHECK(SceneStack({{&a, {0}}, {&b, {0}}}, BandTable(1)).name() == "a.tif and b.tif");
}

namespace {

LabelledPixels labels_of(const ClassTable& classes, const std::vector<LabelledPixel>& pixels, bool by_text) {
  LabelledPixels labels;
  labels.classes = classes;
  labels.pixels = pixels;
  labels.has_regions = true;
  labels.named_by_text = by_text;
  return labels;
}

class Stack {
 public:
  LabelledPixels of(const LabelledPixels& first, const LabelledPixels& second, const std::string& source = "b.gpkg") {
    return stack_labels({{first, "a.gpkg", "a.gpkg"}, {second, "b.gpkg", source}}, stack_);
  }
  std::string refusal(const LabelledPixels& first, const LabelledPixels& second) {
    return message_of([&] { of(first, second); });
  }

 private:
  MemoryScene a_ = plain_scene("a.tif", 3, 2, Spectra::Zero(6, 1));
  MemoryScene b_ = plain_scene("b.tif", 3, 2, Spectra::Zero(6, 1));
  SceneStack stack_{{{&a_, {0}}, {&b_, {0}}}, BandTable(1)};
};

}  // namespace

TEST_CASE("features are outside where they lie on no scene") {
  LabelledPixels a = labels_of({{1, "oak", {}}, {2, "pine", {}}}, {{0, 1, 1}, {4, 0, 3}}, true);
  LabelledPixels b = a;
  a.outside_features = {{1, "oak"}, {2, "elm"}};
  b.outside_features = {{2, "elm"}, {3, "oak"}};
  a.outside = b.outside = 2;
  const LabelledPixels all = Stack().of(a, b, "a.gpkg");
  CHECK(all.outside == 1);
  CHECK(outside_text(all) == "1 (class 'elm': 1)");
  CHECK(classes_outside(all) == std::vector<std::string>{"elm"});
}

TEST_CASE("classes of the same name are one, in alphabetical order, and regions stay apart") {
  LabelledPixels a = labels_of({{1, "oak", {}}, {2, "pine", {}}}, {{0, 1, 1}, {4, 0, 3}}, true);
  LabelledPixels b = labels_of({{1, "ash", {}}, {2, "oak", Colour{1, 2, 3}}}, {{2, 1, 1}, {5, 0, 2}}, true);
  a.outside = 2;
  b.outside = 1;
  a.conflicting = 5;
  a.messages = {"both", "a alone"};
  b.messages = {"both"};
  const LabelledPixels all = Stack().of(a, b);
  REQUIRE(all.classes.size() == 3);
  CHECK(all.classes[0].name == "ash");
  CHECK(all.classes[1].name == "oak");
  CHECK(all.classes[1].code == 2);
  CHECK(all.classes[1].colour == Colour{1, 2, 3});
  REQUIRE(all.pixels.size() == 4);
  CHECK(all.pixels[0].label == 2);
  CHECK(all.pixels[1].label == 1);
  CHECK(all.pixels[2].pixel == 3 * 3 + 2);  // below two rows and one between
  CHECK(all.pixels[2].label == 1);
  CHECK(all.pixels[3].label == 0);
  CHECK(all.pixels[0].region == 1);
  CHECK(all.pixels[1].region == 3);
  CHECK(all.pixels[2].region == 5);
  CHECK(all.pixels[3].region == 6);
  CHECK(all.outside == 3);
  CHECK(all.conflicting == 5);
  CHECK(all.messages == std::vector<std::string>{"both", "a alone"});
}

TEST_CASE("classes of the same code are one, under the name that some labels give") {
  const LabelledPixels a = labels_of({{3, "3", {}}, {7, "seven", {}}}, {{0, 0, 1}, {1, 1, 1}}, false);
  const LabelledPixels b = labels_of({{1, "1", {}}, {3, "three", {}}, {7, "7", {}}}, {{0, 1, 1}, {1, 2, 1}}, false);
  const LabelledPixels all = Stack().of(a, b);
  REQUIRE(all.classes.size() == 3);
  CHECK(all.classes[1].code == 3);
  CHECK(all.classes[1].name == "three");
  CHECK(all.classes[2].name == "seven");
  CHECK(all.pixels[2].label == 1);
  CHECK(all.pixels[3].label == 2);
}

TEST_CASE("classes that contradict each other are refused") {
  const LabelledPixels text = labels_of({{1, "oak", {}}}, {}, true);
  const LabelledPixels codes = labels_of({{1, "1", {}}}, {}, false);
  CHECK(Stack().refusal(codes, text) ==
        "b.gpkg names its classes by text, but a.gpkg has codes; labels of several scenes must do the same");
  CHECK(Stack().refusal(labels_of({{1, "oak", {}}}, {}, false), labels_of({{1, "ash", {}}}, {}, false)) ==
        "code 1 is 'oak' in a.gpkg, but 'ash' in b.gpkg; --classes FILE may rename classes");
  CHECK(Stack().refusal(labels_of({{1, "oak", {}}}, {}, false), labels_of({{2, "oak", {}}}, {}, false)) ==
        "class 'oak' has code 1 in a.gpkg, but 2 in b.gpkg; --classes FILE may rename classes");
}

TEST_CASE("groups of equal value are one, and so are the regions of a feature in both scenes") {
  LabelledPixels a = labels_of({{1, "oak", {}}}, {{0, 0, 1}, {1, 0, 2}, {2, 0, 4}}, true);
  a.region_units = {{1, {0, SampleUnit::Reason::group}}, {2, {1, SampleUnit::Reason::group}}};
  a.group_names = {{0, "north"}, {1, "south"}};
  a.region_features = {{1, 10}, {2, 20}, {4, 40}, {9, 90}};
  LabelledPixels b = labels_of({{1, "oak", {}}}, {{0, 0, 1}, {1, 0, 2}, {2, 0, 3}}, true);
  b.region_units = {{1, {0, SampleUnit::Reason::group}}};
  b.group_names = {{0, "south"}};
  b.region_features = {{1, 10}, {2, 40}, {3, 90}};
  const LabelledPixels all = Stack().of(a, b, "a.gpkg");
  const auto group = [&](std::size_t i) { return all.unit_of(all.pixels[i].region); };
  CHECK(group(1) == group(3));
  CHECK(group(0) != group(3));
  CHECK(group(2) == group(4));
  CHECK(group(2).reason == SampleUnit::Reason::overlap);
  CHECK(group(5) == SampleUnit{all.pixels[5].region});  // feature 90 has no pixel in the first scene
  CHECK(all.pixels[3].region == 11);                    // counted on from region 9, which has no pixel
  // Features of other files have nothing to do with each other.
  const LabelledPixels apart = Stack().of(a, b);
  CHECK(apart.unit_of(apart.pixels[2].region) != apart.unit_of(apart.pixels[4].region));
}

}  // namespace parsimap::test
