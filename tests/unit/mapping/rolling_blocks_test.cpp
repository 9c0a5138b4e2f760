#include "mapping/rolling_blocks.hpp"

#include <doctest/doctest.h>

#include "unit/spatial/random_picture.hpp"

namespace parsimap::test {
namespace {

// Feeds all windows of a picture; checks that every complete rectangle has the right neighbourhood, and counts how
// often every pixel with a value has been complete.
std::vector<int> completions(const Picture& picture, const WindowGrid& windows, Index reach) {
  RollingBlocks rolling(windows, picture.classes(), reach);
  std::vector<int> count(static_cast<std::size_t>(picture.width() * picture.height()), 0);
  for (Index i = 0; i < windows.rows() * windows.columns(); ++i) {
    ValidPixels pixels;
    Spectra probabilities;
    picture.read(windows.window(i % windows.columns(), i / windows.columns()), pixels, probabilities);
    if (!rolling.add(pixels, probabilities)) {
      continue;
    }
    const Window complete = rolling.complete();
    const Index right = std::min(picture.width(), complete.column + complete.width + reach);
    const Index bottom = std::min(picture.height(), complete.row + complete.height + reach);
    for (Index row = std::max<Index>(0, complete.row - reach); row < bottom; ++row) {
      for (Index column = std::max<Index>(0, complete.column - reach); column < right; ++column) {
        REQUIRE(rolling.block().has_value(column, row) == picture.valid(column, row));
        for (Index c = 0; c < picture.classes() && picture.valid(column, row); ++c) {
          REQUIRE(static_cast<double>(rolling.block().pixel(column, row)[c]) == picture.probabilities(column, row)[c]);
        }
      }
    }
    for (Index row = complete.row; row < complete.row + complete.height; ++row) {
      for (Index column = complete.column; column < complete.column + complete.width; ++column) {
        ++count[static_cast<std::size_t>(row * picture.width() + column)];
      }
    }
  }
  return count;
}

}  // namespace

TEST_CASE("every pixel is complete once, with its whole neighbourhood") {
  for (const double holes : {0.0, 0.5, 0.995}) {
    const Picture picture(31, 22, 2, holes);
    for (const auto& [width, height] :
         {std::pair<Index, Index>{31, 22}, {31, 1}, {31, 5}, {8, 8}, {1, 1}, {3, 22}, {10, 2}, {30, 21}}) {
      for (const Index reach : {1, 3, 7, 40}) {
        CAPTURE(width);
        CAPTURE(height);
        CAPTURE(reach);
        const std::vector<int> count = completions(picture, {31, {0, 22}, width, height}, reach);
        for (Index i = 0; i < picture.width() * picture.height(); ++i) {
          const int times = count[static_cast<std::size_t>(i)];
          if (picture.valid(i % picture.width(), i / picture.width())) {
            REQUIRE(times == 1);
          }
          REQUIRE(times <= 1);
        }
      }
    }
  }
}

TEST_CASE("where nothing is near, nothing is complete") {
  const WindowGrid windows{20, {0, 20}, 5, 5};
  RollingBlocks rolling(windows, 1, 2);
  int filled = 0;
  for (Index i = 0; i < 16; ++i) {
    const bool here = i == 5;  // second window of the second row
    const ValidPixels pixels{{5, 5, 1, 1}, {}};
    filled += rolling.add(here ? pixels : ValidPixels{windows.window(i % 4, i / 4), {}}, Spectra::Ones(here ? 1 : 0, 1))
                  ? 1
                  : 0;
  }
  // The pixel lies more than 4 columns and rows before the end of its window.
  CHECK(filled == 1);
}

}  // namespace parsimap::test
