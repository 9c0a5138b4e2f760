#include "product/error_matrix.hpp"

#include <doctest/doctest.h>

#include "parsimap/scene/memory_scene.hpp"

namespace parsimap::test {

TEST_CASE("a pixel has an error where any of its bands has it") {
  Spectra numbers(4, 3);
  numbers << 0, 0, 0, 1, 0, 2, 0, 4, 0, 3, 3, 1;
  std::vector<QualityLayer> layers;
  add_error_matrices(std::make_unique<MemoryScene>("m", RasterGrid{2, 2, {}, ""}, BandTable(3), numbers),
                     errors_of_level_2(), layers);
  REQUIRE(layers.size() == 3);
  CHECK(layers[0].source == layers[2].source);
  CHECK(layers[1].source->bands()[1].name == "negative");
  CHECK(layers[0].source->name() == "m");
  CHECK(layers[0].source->block_width() == 2);
  CHECK(layers[0].source->block_height() == 1);
  CHECK_FALSE(layers[0].source->known_empty({0, 0, 1, 1}));
  CHECK_NOTHROW(layers[0].source->check_unchanged());
  Spectra marks;
  layers[0].source->read({0, 0, 2, 2}, {0, 1, 2}, marks);
  Spectra expected(4, 3);
  expected << 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1;
  CHECK(marks == expected);
  layers[0].source->read({1, 0, 1, 2}, {2}, marks);
  CHECK(marks == Spectra{{0.0F}, {1.0F}});
}

}  // namespace parsimap::test
