#include "scene/window_pieces.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace parsimap;

TEST_CASE("window pieces: they cover the window once, in whole rows where these fit") {
  for (const Index pixels : {1, 5, 10, 25, 1000}) {
    const Window window{3, 4, 10, 7};
    std::vector<int> covered(70, 0);
    for_pieces(window, pixels, [&](const Window& piece) {
      CHECK(piece.pixels() <= pixels);
      CHECK((pixels < 10 || piece.width == 10));
      for (Index row = piece.row; row < piece.row + piece.height; ++row) {
        for (Index column = piece.column; column < piece.column + piece.width; ++column) {
          ++covered[static_cast<std::size_t>((row - 4) * 10 + column - 3)];
        }
      }
    });
    CHECK(covered == std::vector<int>(70, 1));
  }
}

TEST_CASE("window pieces: what windows share") {
  CHECK(overlap({0, 0, 5, 5}, {3, 2, 10, 2}) == Window{3, 2, 2, 2});
  CHECK(overlap({0, 0, 5, 5}, {5, 0, 5, 5}).pixels() == 0);
  CHECK(overlap({0, 0, 5, 5}, {8, 9, 2, 2}).pixels() == 0);
}
