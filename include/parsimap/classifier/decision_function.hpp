// The decision values of all classes for many pixels at once, as matrix products in single precision (docs/method.md,
// "Prediction in single precision").
//
// The error of single precision is measured on the model's own support spectra. Pixels whose two largest values are so
// near to each other that it could exchange them are evaluated again in double precision: labels are those of double.
#pragma once

#include <memory>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/pixel_rows.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

class DecisionFunction {
 public:
  explicit DecisionFunction(const Model& model);
  ~DecisionFunction();
  DecisionFunction(DecisionFunction&&) noexcept;
  DecisionFunction& operator=(DecisionFunction&&) noexcept;

  // Decision values f_c(x), pixels x K, of raw spectra (pixels x d, only the model's bands, in its order; finite),
  // followed by the features of their profiles (pixels x (d + q)) where the machines have a kernel of these. A pixel's
  // values depend on nothing but its row: not on the other pixels, nor on `threads`.
  void evaluate(const Spectra& spectra, int threads, Spectra& values) const;
  // The same of rows first .. first + count - 1 of an array. DataError as PixelRows::read().
  void evaluate(const PixelRows& pixels, Index first, Index count, int threads, Spectra& values) const;

  // Bytes that evaluate() allocates beside its arguments, for `threads` threads.
  [[nodiscard]] std::size_t working_bytes(int threads) const;

 private:
  struct Tables;
  std::unique_ptr<Tables> tables_;
};

// Class probabilities softmax(slope * f) of one pixel, in place; `values` are its K decision values. Exponentials are
// taken one by one and summed in order: Eigen's of a whole array differ in the last bit where a vector register of the
// processor is not full, so that they would depend on the place of the pixel in its block.
template <typename Scalar>
void softmax(Scalar slope, Scalar* values, Index classes);

// Class probabilities of all pixels, in place, pixels x K. The largest stays the largest: a tie of decision
// values goes to the first class.
void softmax_rows(double slope, Spectra& values);

}  // namespace parsimap
