#include "scene/window_pieces.hpp"

#include <doctest/doctest.h>

#include <vector>

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
}
