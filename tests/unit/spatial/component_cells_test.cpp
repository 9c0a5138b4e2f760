#include "spatial/component_cells.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "profiled_values.hpp"
#include "support/memory_scene.hpp"

namespace parsimap::test {
namespace {

// The first component of a pixel, by the definition.
float first_component(const Spectra& values, Index column, Index row) {
  const VectorF spectrum = values(row * kProfiledWidth + column, toy_bands()).transpose();
  VectorF components(2);
  ComponentValues(toy_design()).of(spectrum.data(), components.data());
  return spectrum.allFinite() ? components(0) : kNothing;
}

bool right(const Spectra& values, const Window& window, const Image& image) {
  for (Index row = 0; row < window.height; ++row) {
    for (Index column = 0; column < window.width; ++column) {
      const Index x = window.column + column;
      const Index y = window.row + row;
      const bool inside = x >= 0 && x < kProfiledWidth && y >= 0 && y < kProfiledHeight;
      const float expected = inside ? first_component(values, x, y) : kNothing;
      const float found = image(row, column);
      if (!(found == expected || (std::isnan(found) && std::isnan(expected)))) {
        return false;
      }
    }
  }
  return image.rows() == window.height && image.cols() == window.width;
}

}  // namespace

TEST_CASE("component cells: components of windows, beyond the grid as well, whatever the blocks and the memory") {
  const Spectra values = profiled_values();
  for (const auto& [width, height] : {std::pair<Index, Index>{kProfiledWidth, 1}, {7, 9}, {500, 500}}) {
    for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1} << 20U}) {
      MemoryScene scene = profiled_scene_of(values);
      scene.set_block_size(width, height);
      const Indices bands = toy_bands();
      ComponentCells cells(scene, bands, toy_design(), bytes, bytes / 100);
      std::vector<Image> images;
      for (const Window& window :
           {Window{-5, -3, 30, 20}, {60, 40, 40, 30}, {0, 0, kProfiledWidth, kProfiledHeight}, {30, 5, 2, 2}}) {
        cells.fetch(window);
        REQUIRE(cells.components(window, images));
        REQUIRE(images.size() == 2);
        CHECK(right(values, window, images[0]));
        cells.trim();
      }
    }
  }
}

TEST_CASE("component cells: what is kept or was offered is not read") {
  const Spectra values = profiled_values();
  MemoryScene scene = profiled_scene_of(values);
  const Indices bands = toy_bands();
  ComponentCells cells(scene, bands, toy_design(), 1 << 20U, 1 << 20U);
  const Window all{0, 0, kProfiledWidth, kProfiledHeight};
  CHECK(cells.fits(all));
  cells.offer({0, 0, kProfiledWidth, 16}, values.topRows(16 * kProfiledWidth)(Eigen::all, bands), all);
  cells.fetch({0, 0, kProfiledWidth, 16});
  CHECK(scene.values_read() == 0);
  cells.fetch(all);
  const std::int64_t read = scene.values_read();
  // Where values are is looked for in one band first.
  CHECK(read == std::int64_t{3 + 1} * kProfiledWidth * (kProfiledHeight - 16));
  cells.trim();
  cells.fetch(all);
  CHECK(scene.values_read() == read);
  std::vector<Image> images;
  REQUIRE(cells.components(all, images));
  CHECK(right(values, all, images[0]));

  ComponentCells forgetful(scene, bands, toy_design(), 0, 1 << 20U);
  CHECK_FALSE(forgetful.fits({0, 0, 1, 1}));
  forgetful.fetch({0, 0, 8, 8});
  const std::int64_t before = scene.values_read();
  forgetful.trim();
  forgetful.fetch({0, 0, 8, 8});
  CHECK(scene.values_read() > before);
}

TEST_CASE("component cells: without any value there are no components, and nothing is read that is known to be empty") {
  MemoryScene scene = profiled_scene_of(profiled_values());
  scene.set_block_size(8, 8);
  const Indices bands = toy_bands();
  ComponentCells cells(scene, bands, toy_design(), 1 << 20U, 1 << 20U);
  // Cells of 64 x 8 pixels: none lies in the hole, which is read, then.
  std::vector<Image> images;
  cells.fetch({45, 20, 5, 5});
  CHECK(scene.values_read() > 0);
  CHECK(cells.components({45, 20, 5, 5}, images));
  scene.add_known_empty({64, 0, 19, 16});
  const std::int64_t before = scene.values_read();
  cells.fetch({64, 0, 19, 16});
  CHECK(scene.values_read() == before);
  CHECK_FALSE(cells.components({64, 0, 19, 16}, images));
}

}  // namespace parsimap::test

using namespace parsimap;

namespace {

std::vector<Window> pieces(const Window& window, Index block_width, Index block_height, Index pixels) {
  std::vector<Window> all;
  for_pieces(window, block_width, block_height, pixels, [&](const Window& piece) { all.push_back(piece); });
  return all;
}

// How often the pieces cover each pixel of the window.
std::vector<int> coverage(const Window& window, const std::vector<Window>& pieces) {
  std::vector<int> covered(static_cast<std::size_t>(window.pixels()), 0);
  for (const Window& piece : pieces) {
    for (Index row = piece.row - window.row; row < piece.row - window.row + piece.height; ++row) {
      for (Index i = 0; i < piece.width; ++i) {
        ++covered[static_cast<std::size_t>(row * window.width + piece.column - window.column + i)];
      }
    }
  }
  return covered;
}

}  // namespace

TEST_CASE("window pieces: they cover the window once, whatever the storage blocks") {
  const Window window{3, 4, 10, 7};
  for (const Index pixels : {1, 5, 10, 25, 60, 1000}) {
    for (const Index width : {1, 4, 100}) {
      for (const Index height : {1, 3, 100}) {
        const std::vector<Window> found = pieces(window, width, height, pixels);
        CHECK(coverage(window, found) == std::vector<int>(static_cast<std::size_t>(window.pixels()), 1));
        for (const Window& piece : found) {
          CHECK(piece.pixels() <= pixels);
        }
      }
    }
  }
}

TEST_CASE("window pieces: whole storage blocks where they fit") {
  // Rows of blocks; blocks side by side; blocks that are cut.
  CHECK(pieces({3, 4, 10, 7}, 4, 4, 80) == std::vector<Window>{{3, 4, 10, 4}, {3, 8, 10, 3}});
  CHECK(pieces({3, 4, 10, 4}, 4, 4, 35) == std::vector<Window>{{3, 4, 5, 4}, {8, 4, 5, 4}});
  CHECK(pieces({2, 2, 4, 2}, 4, 4, 2) == std::vector<Window>{{2, 2, 2, 1}, {2, 3, 2, 1}, {4, 2, 2, 1}, {4, 3, 2, 1}});
  CHECK(pieces({0, 0, 10, 6}, 100, 1, 20).size() == 3);
}

TEST_CASE("window pieces: what windows share") {
  CHECK(overlap({0, 0, 5, 5}, {3, 2, 10, 2}) == Window{3, 2, 2, 2});
  CHECK(overlap({0, 0, 5, 5}, {5, 0, 5, 5}).pixels() == 0);
  CHECK(overlap({0, 0, 5, 5}, {8, 9, 2, 2}).pixels() == 0);
  CHECK(around({0, 0, 5, 5}, {8, 9, 2, 2}) == Window{0, 0, 10, 11});
}
