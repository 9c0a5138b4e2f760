// The novelty of many pixels at once (classifier/class_novelty.hpp), in double precision.
#pragma once

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/pixel_rows.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

class NoveltyFunction {
 public:
  // The model is kept by the caller.
  explicit NoveltyFunction(const Model& model) : model_(model) {}

  // 1 less the largest tail probability of a class, pixels x 1 in [0, 1], of raw spectra (pixels x d, only the model's
  // bands, in its order; finite; profiles that follow them are not looked at). A pixel's value depends on nothing but
  // its spectrum: not on the other pixels, nor on `threads`.
  void evaluate(const Spectra& spectra, int threads, Spectra& novelty) const;
  // The same of rows first .. first + count - 1 of an array. DataError as PixelRows::read().
  void evaluate(const PixelRows& pixels, Index first, Index count, int threads, Spectra& novelty) const;

  // About how many bytes evaluate() allocates beside its arguments, for `threads` threads.
  [[nodiscard]] std::size_t working_bytes(int threads) const;

 private:
  // `read(first, count, buffer)` hands out the rows of a tile, which may lie in the buffer.
  template <typename Read>
  void evaluate_tiles(Index rows, int threads, const Read& read, Spectra& novelty) const;

  const Model& model_;
};

}  // namespace parsimap
