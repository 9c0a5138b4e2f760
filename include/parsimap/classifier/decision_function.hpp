// The decision values of all classes for blocks of pixels, in single precision and as matrix products.
//
// |x - s|^2 is shared by all classes: one product per tile of pixels and support spectra; every class adds a thin
// product along its own directions, and the exponential and weighted sum are taken while the tile is in cache.
#pragma once

#include <memory>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

class DecisionFunction {
 public:
  explicit DecisionFunction(const Model& model);
  ~DecisionFunction();
  DecisionFunction(DecisionFunction&&) noexcept;
  DecisionFunction& operator=(DecisionFunction&&) noexcept;

  // Decision values f_c(x), pixels x K, of raw spectra (pixels x d, only the model's bands, in its order; finite).
  // A pixel's values depend on nothing but its spectrum: not on the other pixels, nor on `threads`.
  void evaluate(const Spectra& spectra, int threads, Spectra& values) const;

  // Bytes that evaluate() allocates beside its arguments, for `threads` threads.
  [[nodiscard]] std::size_t working_bytes(int threads) const;

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

// Class probabilities softmax(slope * f), in place, pixels x K. The largest stays the largest: a tie of decision
// values goes to the first class.
void softmax_rows(double slope, Spectra& values);

}  // namespace parsimap
