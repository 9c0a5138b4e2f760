// What a model says of spectra: decision values, labels, probabilities and novelty of rows of raw spectra.
#pragma once

#include <memory>
#include <variant>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

// The spectra of an array that somebody else keeps, read a few rows at a time: nothing of it is copied as a whole.
class PixelRows {
 public:
  // `values` is rows x columns, row-major, and kept by the caller. `used` are the columns that are read, in this order.
  PixelRows(const float* values, Index rows, Index columns, Indices used);
  PixelRows(const double* values, Index rows, Index columns, Indices used);

  [[nodiscard]] Index rows() const { return rows_; }

  // Rows first .. first + count - 1 of the columns used, rounded to single precision as spectra of scenes are. It may
  // refer to `buffer`. DataError with the row and the column, both from 0, of a value that is not finite.
  [[nodiscard]] Eigen::Ref<const Spectra> read(Index first, Index count, Spectra& buffer) const;

 private:
  template <typename Scalar>
  void copy(const Scalar* values, Index first, Index count, Spectra& buffer) const;
  [[noreturn]] void refuse(const Eigen::Ref<const Spectra>& read, Index first) const;

  std::variant<const float*, const double*> values_;
  Index rows_;
  Index columns_;
  Indices used_;
  bool all_;  // every column is used, in its place
};

// The decision values of all classes for many pixels at once, as matrix products in single precision (docs/method.md,
// "Prediction in single precision").
//
// The error of single precision is measured on the model's own support spectra. Pixels whose two largest values are so
// near to each other that it could exchange them are evaluated again in double precision: labels are those of double.
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

// The novelty of many pixels at once (classifier/model.hpp), in double precision.
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

// What a model says of the spectra of an array, for programs that keep spectra in arrays: labels, probabilities,
// decision values and novelty, block by block, so that beside the result memory is that of a block.

// Rows x columns, row-major, in the caller's memory.
using ArrayResult = Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

class ArrayPredictor {
 public:
  // The model is kept by the caller. DataError for a model with a kernel of profiles: it asks for the pixels around
  // each spectrum, of which an array of spectra knows nothing.
  explicit ArrayPredictor(const Model& model);

  // `values` of each function below has a row for each of `pixels`, whose columns are the model's bands. Values depend
  // neither on `threads` (0 = all processors) nor on the other rows. Errors: DataError as PixelRows::read(), and what
  // `progress` throws; `values` are then undefined.
  //
  // f_c(x), n x K. The class with the largest one is the label, the first one in a tie.
  void decision_values(const PixelRows& pixels, int threads, ArrayResult values, const Progress& progress) const;
  // Of two classes: the logarithm of the odds of the second one, n x 1, which is positive where it is the label.
  void log_odds(const PixelRows& pixels, int threads, ArrayResult values, const Progress& progress) const;
  // softmax(a f(x)), n x K, in double precision.
  void probabilities(const PixelRows& pixels, int threads, ArrayResult values, const Progress& progress) const;
  // The index of the class, n.
  void labels(const PixelRows& pixels, int threads, std::int64_t* labels, const Progress& progress) const;
  // In [0, 1], n x 1 (classifier/model.hpp).
  void novelty(const PixelRows& pixels, int threads, ArrayResult values, const Progress& progress) const;

 private:
  // use(first, values) with the decision values of every block of rows.
  template <typename Use>
  void for_each_block(const PixelRows& pixels, int threads, const Progress& progress, const Use& use) const;

  const Model& model_;
  DecisionFunction decision_;
  NoveltyFunction novelty_;
};

}  // namespace parsimap
