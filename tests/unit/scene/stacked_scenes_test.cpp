#include "parsimap/scene/stacked_scenes.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/samples/band_match.hpp"
#include "parsimap/scene/memory_scene.hpp"

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

}  // namespace parsimap::test
