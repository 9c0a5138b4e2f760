// Spatial context for class probabilities: a pixel is classified together with its neighbours.
//
// Of the probabilities of the neighbours, weighted by a Gaussian of their distance, `gaussian` takes the mean: the
// strongest smoother, in which lines and small objects are lost but for pixels that are sure of their class and can be
// kept as they are. `neighbours` takes them as a prior in the rule of
// Bayes (Besag, 1975), and lines and small objects stay. docs/method.md has the formulas. A pixel without neighbours
// keeps its probabilities.
#pragma once

#include <functional>
#include <string>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/scene/window_reader.hpp"

namespace parsimap {

// A block: the pixels of a window laid out as the picture is, for what is computed at once from pixels and their
// neighbours. Every pixel is `values` numbers and a 1; a pixel without a value is zeros, and so is everything outside
// the window: zeros add nothing to a sum, and the sums of the ones are the weights.
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

enum class RegularisationMethod { none, automatic, gaussian, neighbours };

struct Regularisation {
  RegularisationMethod method = RegularisationMethod::none;
  double sigma = 0;  // pixels, in [0.3, 20]
  int strength = 2;  // s of neighbours, in [1, 8]
  double keep = 1;   // of gaussian, in [0.5, 1]: a pixel with a larger probability of one class stays as it is

  bool operator==(const Regularisation&) const = default;
};

// The largest strength of neighbours that is tried where the choice is automatic.
inline constexpr int kStrongestNeighbours = 4;

// "none", "auto", "gaussian:1.5", "gaussian:1.5:0.99" (keep), "neighbours:1" (strength 2), "neighbours:1:3" and back;
// anything else is a ConfigError that states the form or the range that is broken.
Regularisation parse_regularisation(const std::string& text);
std::string to_string(const Regularisation& regularisation);

// r^s of a pixel of K classes with probabilities `own` and their sums `sums` (gaussian_sums()), whose weights sum up to
// `weight`, the pixel's own 1 included; false, and `factors` as they were, where no neighbour is near enough to have a
// weight.
bool neighbour_factors(const float* own, const float* sums, float weight, Index classes, int strength, float* factors);

// The values, n x block.values(), of the n pixels of `inner` that have them (pixels), in their order: the first
// `classes` are probabilities and regularised, the others are handed on. The method must be gaussian or neighbours. The
// outcome depends neither on the block nor on threads.
void regularise(const PixelBlock& block, const Window& inner, Index classes, const Regularisation& regularisation,
                int threads, ValidPixels& pixels, Spectra& values);

// p <- p^t / sum p^t in each row of probabilities, t > 0: what makes them agree with the accuracy of left-out samples
// after neighbours have counted. The order of the classes stays.
void calibrate(Spectra& probabilities, double exponent);

}  // namespace parsimap
