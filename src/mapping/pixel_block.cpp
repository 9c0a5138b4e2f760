#include "parsimap/mapping/pixel_block.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "parsimap/core/parallel_for.hpp"

namespace parsimap {
namespace {

// Rows are added up in whole vectors of this many numbers. Where a compiler treats the rest of a row differently from
// its beginning (a fused multiply-add here, two operations there), a pixel's sum would depend on where its window ends.
constexpr Index kLane = 16;

Index padded(Index numbers) { return (numbers + kLane - 1) / kLane * kLane; }

// exp(-d^2 / (2 sigma^2)) of the distances d = 0, 1, .. reach.
std::vector<float> gaussian_weights(double sigma) {
  std::vector<float> weights;
  for (Index distance = 0; distance <= gaussian_reach(sigma); ++distance) {
    const double ratio = static_cast<double>(distance) / sigma;
    weights.push_back(static_cast<float>(std::exp(-0.5 * ratio * ratio)));
  }
  return weights;
}

// to += weight * from, over a padded row.
void add(float weight, const float* from, float* to, Index padded_count) {
  for (Index start = 0; start < padded_count; start += kLane) {
    for (Index i = start; i < start + kLane; ++i) {
      to[i] += weight * from[i];
    }
  }
}

}  // namespace

PixelBlock::PixelBlock(Index largest_width, Index largest_height, Index values, Index reach)
    : channels_(values + 1),
      reach_(reach),
      numbers_(largest_height, padded((largest_width + 2 * reach) * channels_) + kLane) {}

std::int64_t PixelBlock::bytes(Index largest_width, Index largest_height, Index values, Index reach) {
  const Index numbers = padded((largest_width + 2 * reach) * (values + 1)) + kLane;
  return 2 * largest_height * numbers * static_cast<Index>(sizeof(float));
}

void PixelBlock::reset(const Window& window) {
  window_ = window;
  numbers_.topRows(window.height).setZero();
}

void PixelBlock::fill(const ValidPixels& pixels, const Spectra& values) {
  for (Index i = 0; i < values.rows(); ++i) {
    const Index position = pixels.position(i);
    float* to = pixel(pixels.window.column + position % pixels.window.width,
                      pixels.window.row + position / pixels.window.width);
    std::copy_n(values.row(i).data(), values.cols(), to);
    to[values.cols()] = 1;
  }
}

ValidPixels PixelBlock::valid_pixels(const Window& inner) const {
  // First the smallest window around the pixels that have values.
  Index left = inner.column + inner.width;
  Index right = -1;
  Index top = inner.row + inner.height;
  Index bottom = -1;
  Index count = 0;
  for (Index row = inner.row; row < inner.row + inner.height; ++row) {
    for (Index column = inner.column; column < inner.column + inner.width; ++column) {
      if (has_value(column, row)) {
        left = std::min(left, column);
        right = std::max(right, column);
        top = std::min(top, row);
        bottom = row;
        ++count;
      }
    }
  }
  // Then the positions inside that window; none are listed where all of its pixels have values.
  if (count == 0) {
    return {{inner.column, inner.row, 0, 0}, {}};
  }
  ValidPixels pixels{{left, top, right - left + 1, bottom - top + 1}, {}};
  for (Index position = 0; count < pixels.window.pixels() && position < pixels.window.pixels(); ++position) {
    if (has_value(left + position % pixels.window.width, top + position / pixels.window.width)) {
      pixels.positions.push_back(position);
    }
  }
  return pixels;
}

Index gaussian_reach(double sigma) { return static_cast<Index>(std::ceil(3 * sigma)); }

void gaussian_sums(const PixelBlock& block, const Window& inner, double sigma, int threads,
                   const std::function<void(Index row, const float* sums)>& use) {
  // The weight of a pixel is a product of one factor along the row and one along the column. So the sum over a square
  // of (2 reach + 1)^2 pixels is done in two passes of 2 reach + 1 each: first along the rows, then along the columns.
  const std::vector<float> weights = gaussian_weights(sigma);
  const auto reach = static_cast<Index>(weights.size()) - 1;
  const Index first = std::max(block.window().row, inner.row - reach);
  const Index last = std::min(block.window().row + block.window().height, inner.row + inner.height + reach);
  const Index count = padded(inner.width * block.channels());
  const auto weight = [&](Index distance) { return weights[static_cast<std::size_t>(std::abs(distance))]; };

  // First pass, for every row of the block that a row of `inner` can see. Zeros around the picture save the border
  // cases.
  Spectra along_rows = Spectra::Zero(last - first, count);
  parallel_for(last - first, threads, [&](Index i) {
    for (Index distance = -reach; distance <= reach; ++distance) {
      add(weight(distance), block.pixel(inner.column, first + i) + distance * block.channels(),
          along_rows.row(i).data(), count);
    }
  });
  // Second pass. Every sum adds its rows from top to bottom, whichever thread does it, so that rounding is the same.
  parallel_for(inner.height, threads, [&](Index i) {
    const Index row = inner.row + i;
    std::vector<float> sums(static_cast<std::size_t>(count), 0.0F);
    for (Index from = std::max(first, row - reach); from < std::min(last, row + reach + 1); ++from) {
      add(weight(from - row), along_rows.row(from - first).data(), sums.data(), count);
    }
    use(row, sums.data());
  });
}

}  // namespace parsimap
