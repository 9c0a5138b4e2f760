#include "parsimap/scene/memory_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"

#include "unit/scene/plain_scene.hpp"

using namespace parsimap;

namespace {

// Value 100 * row + 10 * column + band.
MemoryScene numbered_scene() {
  Spectra values(12, 3);
  for (Index pixel = 0; pixel < 12; ++pixel) {
    for (Index band = 0; band < 3; ++band) {
      values(pixel, band) = static_cast<float>(100 * (pixel / 4) + 10 * (pixel % 4) + band);
    }
  }
  return {"numbers", test::grid_of(4, 3), BandTable(3), values};
}

}  // namespace

TEST_CASE("a window of a memory scene is read in row-major order, in the bands asked for") {
  MemoryScene scene = numbered_scene();
  Spectra values;
  scene.read({1, 1, 2, 2}, {2, 0}, values);
  Spectra expected(4, 2);
  expected << 112, 110, 122, 120, 212, 210, 222, 220;
  CHECK(values == expected);
  CHECK(scene.values_read() == 8);
  CHECK(scene.largest_read() == 8);
  CHECK(scene.block_width() == 4);
  CHECK(scene.block_height() == 1);
}

TEST_CASE("infinite values of a memory scene are missing") {
  Spectra values(2, 1);
  values << std::numeric_limits<float>::infinity(), 5;
  MemoryScene scene("infinite", test::grid_of(2, 1), BandTable(1), values);
  Spectra read;
  scene.read({0, 0, 2, 1}, {0}, read);
  CHECK(std::isnan(read(0, 0)));
  CHECK(read(1, 0) == 5);
}

TEST_CASE("a memory scene refuses sizes that do not agree and windows outside") {
  CHECK_THROWS_AS(MemoryScene("wrong", test::grid_of(2, 2), BandTable(1), Spectra(3, 1)), DataError);
  CHECK_THROWS_AS(MemoryScene("wrong", test::grid_of(2, 2), BandTable(2), Spectra(4, 1)), DataError);
  MemoryScene scene = numbered_scene();
  Spectra values;
  CHECK_THROWS_AS(scene.read({3, 0, 2, 1}, {0}, values), IoError);
}

TEST_CASE("only windows inside a hole are known to be empty") {
  MemoryScene scene = numbered_scene();
  scene.add_known_empty({1, 0, 2, 3});
  CHECK(scene.known_empty({1, 1, 2, 2}));
  CHECK_FALSE(scene.known_empty({0, 1, 2, 2}));
  CHECK_FALSE(scene.known_empty({2, 1, 2, 1}));
}

TEST_CASE("memory sinks keep what was written, and nothing elsewhere") {
  MemoryClassMapSink map(test::grid_of(3, 2));
  map.write({1, 0, 2, 2}, {1, 2, 3, 4});
  CHECK(map.codes() == std::vector<std::uint16_t>{0, 1, 2, 0, 3, 4});
  CHECK(map.pixels_written() == 4);
  CHECK_FALSE(map.closed());
  map.close();
  CHECK(map.closed());

  MemoryFieldSink field(test::grid_of(2, 1), 2);
  Spectra values(1, 2);
  values << 0.25F, 0.75F;
  field.write({1, 0, 1, 1}, values);
  CHECK(std::isnan(field.values()(0, 0)));
  CHECK(field.values()(1, 1) == 0.75F);
  field.close();
  CHECK(field.closed());
}

TEST_CASE("memory sinks refuse what a file would refuse") {
  MemoryClassMapSink map(test::grid_of(3, 2));
  CHECK_THROWS_AS(map.write({2, 0, 2, 1}, {1, 1}), IoError);
  CHECK_THROWS_AS(map.write({0, 0, 2, 1}, {1}), IoError);
  map.close();
  CHECK_THROWS_AS(map.write({0, 0, 1, 1}, {1}), IoError);
  MemoryFieldSink field(test::grid_of(3, 2), 2);
  CHECK_THROWS_AS(field.write({0, 0, 1, 1}, Spectra::Zero(1, 3)), IoError);
}
