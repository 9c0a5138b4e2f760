#include "parsimap/scene/scene_with_lookup.hpp"

#include <doctest/doctest.h>

#include "parsimap/scene/memory_scene.hpp"

#include "unit/scene/toy_lookup.hpp"

namespace parsimap::test {

TEST_CASE("a scene with a lookup is the scene otherwise") {
  Spectra values(6, 1);
  values << 1, 2, 3, 4, 5, 6;
  auto source = std::make_unique<MemoryScene>("scene", RasterGrid{3, 2, {}, ""}, BandTable(1), values);
  CHECK(source->lookup() == nullptr);
  source->set_block_size(2, 2);
  const auto scene = scene_with_lookup(std::move(source), std::make_unique<ToyLookup>(turned_lookup(3, 2)));
  REQUIRE(scene->lookup() != nullptr);
  CHECK(scene->lookup()->name() == "lookup");
  CHECK(scene->name() == "scene");
  CHECK(scene->grid().width == 3);
  CHECK(scene->bands().size() == 1);
  CHECK(scene->block_width() == 2);
  CHECK(scene->block_height() == 2);
  CHECK_FALSE(scene->known_empty({0, 0, 1, 1}));
  Spectra found;
  scene->read({1, 0, 2, 2}, {0}, found);
  CHECK(found.sum() == 2 + 3 + 5 + 6);
  CHECK_NOTHROW(scene->check_unchanged());
}

}  // namespace parsimap::test
