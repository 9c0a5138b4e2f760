#include "parsimap/scene/window.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "parsimap/scene/raster.hpp"

namespace parsimap::test {

TEST_CASE("a raster is read in strips of whole rows that cover it") {
  CHECK(row_strips({4, 3, std::nullopt, ""}) == std::vector<Window>{{0, 0, 4, 3}});
  CHECK(row_strips({Index{1} << 19, 5, std::nullopt, ""}) ==
        std::vector<Window>{{0, 0, Index{1} << 19, 2}, {0, 2, Index{1} << 19, 2}, {0, 4, Index{1} << 19, 1}});
  CHECK(row_strips({Index{1} << 21, 2, std::nullopt, ""}).size() == 2);
}

TEST_CASE("tiles cover an area row by row, those at its right and lower edge by what is left") {
  CHECK(tiles_of({2, 3, 5, 3}, 4, 2) == std::vector<Window>{{2, 3, 4, 2}, {6, 3, 1, 2}, {2, 5, 4, 1}, {6, 5, 1, 1}});
  CHECK(tiles_of({2, 3, 0, 3}, 4, 2).empty());
}

TEST_CASE("strips of an area have at least one row") {
  CHECK(row_strips({2, 3, 5, 3}, 10) == std::vector<Window>{{2, 3, 5, 2}, {2, 5, 5, 1}});
  CHECK(row_strips({2, 3, 5, 2}, 1) == std::vector<Window>{{2, 3, 5, 1}, {2, 4, 5, 1}});
}

}  // namespace parsimap::test
