#include "parsimap/mapping/map_window.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "parsimap/core/random.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "support/memory_scene.hpp"

namespace parsimap::test {

TEST_CASE("the grid of a window lies where its pixels lie") {
  RasterGrid grid;
  grid.width = 10;
  grid.height = 20;
  grid.geotransform = std::array<double, 6>{100, 2, 0.5, 200, 0.25, -2};
  grid.control_points = {{1, 15, 7, 8}};
  const RasterGrid part = grid_of_window(grid, {4, 5, 3, 7});
  CHECK(part.height == 7);
  CHECK(part.width == 3);
  CHECK(map_point(part, 3, 0) == map_point(grid, 7, 5));
  CHECK(part.control_points[0] == ControlPoint{-3, 10, 7, 8});
}

TEST_CASE("a window of a scene has its pixels, and knows where it is empty") {
  RasterGrid grid;
  grid.width = 6;
  grid.height = 5;
  Spectra values(grid.width * grid.height, 1);
  for (Index i = 0; i < values.rows(); ++i) {
    values(i, 0) = static_cast<float>(i);
  }
  MemoryScene scene("scene", grid, BandTable(1), values);
  scene.add_known_empty({0, 3, 6, 2});
  WindowScene part(scene, {2, 1, 3, 4});
  Spectra read;
  part.read({1, 1, 2, 2}, {0}, read);
  CHECK(read == Spectra{{15.0F}, {16.0F}, {21.0F}, {22.0F}});
  CHECK(part.known_empty({0, 2, 3, 2}));
  CHECK_FALSE(part.known_empty({0, 1, 3, 2}));
}

TEST_CASE("windows of a scene, wherever they lie, write what of them is in the window of the map") {
  RasterGrid grid;
  grid.width = 17;
  grid.height = 13;
  const Window window{5, 4, 7, 6};
  std::vector<std::uint16_t> codes;
  for (Index i = 0; i < grid.pixels(); ++i) {
    codes.push_back(static_cast<std::uint16_t>(i + 1));
  }
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    MemoryClassMapSink map(grid_of_window(grid, window));
    MemoryFieldSink confidence(grid_of_window(grid, window), 2);
    const WindowOutputs outputs({&map, {{MapLayer::confidence, &confidence}}}, window);
    // A division of the scene into windows of a random size.
    const Index width = 1 + random.index(grid.width);
    const Index height = 1 + random.index(grid.height);
    for (Index row = 0; row < grid.height; row += height) {
      for (Index column = 0; column < grid.width; column += width) {
        const Window part{column, row, std::min(width, grid.width - column), std::min(height, grid.height - row)};
        std::vector<std::uint16_t> some;
        Spectra values(part.pixels(), 2);
        for (Index i = 0; i < part.pixels(); ++i) {
          some.push_back(
              codes[static_cast<std::size_t>((row + i / part.width) * grid.width + column + i % part.width)]);
          values.row(i).setConstant(some.back());
        }
        outputs.outputs().map->write(part, some);
        outputs.outputs().layers.at(MapLayer::confidence)->write(part, values);
      }
    }
    for (Index i = 0; i < window.pixels(); ++i) {
      const Index pixel = (window.row + i / window.width) * grid.width + window.column + i % window.width;
      REQUIRE(map.codes()[static_cast<std::size_t>(i)] == pixel + 1);
      REQUIRE(confidence.values()(i, 1) == static_cast<float>(pixel + 1));
    }
  }
}

}  // namespace parsimap::test
