// A block: the pixels of a window laid out as the picture is, for what is computed at once from pixels and their
// neighbours, and the Gaussian sums over the neighbourhoods of its pixels.
#pragma once

#include <functional>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/window_reader.hpp"

namespace parsimap {

// Every pixel is `values` numbers and a 1; a pixel without a value is zeros, and so is everything outside the window:
// zeros add nothing to a sum, and the sums of the ones are the weights.
class PixelBlock {
 public:
  // For windows of at most largest_width x largest_height; sums may reach `reach` pixels far.
  PixelBlock(Index largest_width, Index largest_height, Index values, Index reach);

  // Makes it the block of `window`, all pixels without a value.
  void reset(const Window& window);
  // The pixels of `pixels`, whose window must lie in that of the block; `values` is n x values, one row a valid pixel.
  void fill(const ValidPixels& pixels, const Spectra& values);

  [[nodiscard]] const Window& window() const { return window_; }
  [[nodiscard]] Index values() const { return channels_ - 1; }
  [[nodiscard]] Index channels() const { return channels_; }
  [[nodiscard]] Index reach() const { return reach_; }
  // The channels of a pixel of the window, by its place in the grid; those of the next column follow.
  [[nodiscard]] float* pixel(Index column, Index row) { return &numbers_(row - window_.row, offset(column)); }
  [[nodiscard]] const float* pixel(Index column, Index row) const {
    return &numbers_(row - window_.row, offset(column));
  }
  [[nodiscard]] bool has_value(Index column, Index row) const { return pixel(column, row)[values()] > 0; }

  // The pixels of `inner` (inside the window) that have a value, in the smallest window around them; of width 0 without
  // any.
  [[nodiscard]] ValidPixels valid_pixels(const Window& inner) const;

  // Bytes of such a block, and of gaussian_sums() over all of it.
  static std::int64_t bytes(Index largest_width, Index largest_height, Index values, Index reach);

 private:
  [[nodiscard]] Index offset(Index column) const { return (column - window_.column + reach_) * channels_; }

  Window window_;
  Index channels_;
  Index reach_;
  Spectra numbers_;  // a row of pixels is a row, with `reach` pixels of zeros before and after
};

// How far a Gaussian of standard deviation `sigma` pixels is followed: 3 sigma, rounded up.
Index gaussian_reach(double sigma);

// For every row of `inner`, on `threads` threads and in any order, use(row, sums) with the sums over the pixels
// (u, v) of the block at most gaussian_reach(sigma) columns and rows away,
//   sums[i * channels + c] = sum exp(-((u - x)^2 + (v - y)^2) / (2 sigma^2)) * channel c of (u, v),
// x being the i-th column of `inner`: the pixel itself has weight 1, the last channel is the sum of the weights.
// A sum depends on nothing but its neighbourhood: not on the block, on `inner` or on `threads`. gaussian_reach(sigma)
// must be at most the block's reach.
void gaussian_sums(const PixelBlock& block, const Window& inner, double sigma, int threads,
                   const std::function<void(Index row, const float* sums)>& use);

}  // namespace parsimap
