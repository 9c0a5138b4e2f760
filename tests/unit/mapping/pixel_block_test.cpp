#include "parsimap/mapping/pixel_block.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "unit/mapping/random_picture.hpp"

namespace parsimap::test {

TEST_CASE("Gaussian sums are those of a double loop, at borders and holes too") {
  const Picture picture(23, 17, 3, 0.3);
  const PixelBlock block = picture.block(6);
  for (const double sigma : {0.4, 1.0, 2.0}) {
    const Index reach = gaussian_reach(sigma);
    const Window inner{2, 1, 20, 16};
    gaussian_sums(block, inner, sigma, 1, [&](Index row, const float* sums) {
      for (Index column = inner.column; column < inner.column + inner.width; ++column, sums += 4) {
        Vector expected = Vector::Zero(4);
        for (Index y = std::max<Index>(0, row - reach); y <= std::min<Index>(16, row + reach); ++y) {
          for (Index x = std::max<Index>(0, column - reach); x <= std::min<Index>(22, column + reach); ++x) {
            const auto distance = static_cast<double>((x - column) * (x - column) + (y - row) * (y - row));
            const double weight = picture.valid(x, y) ? std::exp(-0.5 * distance / (sigma * sigma)) : 0;
            expected += weight * picture.value_and_one(x, y);
          }
        }
        for (Index c = 0; c < 4; ++c) {
          REQUIRE(static_cast<double>(sums[c]) == doctest::Approx(expected[c]).epsilon(1e-5));
        }
      }
    });
  }
}

TEST_CASE("a sum is the same to the last bit, whatever is asked for beside it") {
  const Picture picture(29, 19, 2, 0.2);
  const PixelBlock block = picture.block(9);
  Spectra whole(19, 29 * 3);
  gaussian_sums(block, block.window(), 3, 1,
                [&](Index row, const float* sums) { std::copy_n(sums, whole.cols(), whole.row(row).data()); });
  for (const Window inner : {Window{0, 0, 1, 1}, {7, 3, 5, 2}, {13, 0, 16, 19}, {1, 18, 28, 1}}) {
    gaussian_sums(block, inner, 3, 3, [&](Index row, const float* sums) {
      for (Index i = 0; i < inner.width * 3; ++i) {
        CHECK(sums[i] == whole(row, inner.column * 3 + i));
      }
    });
  }
}

TEST_CASE("valid pixels are found in the smallest window around them") {
  PixelBlock block(10, 8, 1, 2);
  block.reset({20, 30, 10, 8});
  CHECK(block.valid_pixels({21, 31, 5, 5}).window.pixels() == 0);
  block.fill({{22, 32, 2, 3}, {0, 1, 5}}, Spectra::Constant(3, 1, 0.5F));
  const ValidPixels found = block.valid_pixels({20, 30, 10, 8});
  CHECK(found.window == Window{22, 32, 2, 3});
  CHECK(found.positions == Indices{0, 1, 5});
  const ValidPixels row = block.valid_pixels({20, 30, 10, 3});
  CHECK(row.window == Window{22, 32, 2, 1});
  CHECK(row.positions.empty());
  block.reset({0, 0, 4, 4});
  CHECK(block.valid_pixels({0, 0, 4, 4}).window.width == 0);
}

TEST_CASE("a Gaussian is followed for three standard deviations") {
  CHECK(gaussian_reach(0.7) == 3);
  CHECK(gaussian_reach(1) == 3);
  CHECK(gaussian_reach(1.5) == 5);
}

}  // namespace parsimap::test
