// What a model says of spectra: decision values, labels, probabilities and novelty of rows of raw spectra.
#pragma once

#include <cstdint>
#include <memory>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/pixel_rows.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

// Class probabilities softmax(slope * f) of one pixel, in place; `values` are its K decision values. Exponentials are
// taken one by one and summed in order: Eigen's of a whole array differ in the last bit where a vector register of the
// processor is not full, so that they would depend on the place of the pixel in its block.
template <typename Scalar>
void softmax(Scalar slope, Scalar* values, Index classes);

// Class probabilities of all pixels, in place, pixels x K. The largest stays the largest: a tie of decision
// values goes to the first class.
void softmax_rows(double slope, Spectra& values);

// Rows x columns, row-major, in the caller's memory.
using ArrayResult = Eigen::Ref<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

// All that a model says of spectra. A row's values depend on nothing but the row: not on the other rows, nor on the
// number of threads. The class of the largest decision value is the label, the first one in a tie.
//
// Decision values are matrix products in single precision (docs/method.md, "Prediction in single precision"), whose
// error is measured on the model's own support spectra. Pixels whose two largest values are so near to each other that
// it could exchange them are evaluated again in double precision: labels are those of double precision. Novelty is
// computed in double precision.
class Predictor {
 public:
  // Makes the tables of both precisions. The model is kept by the caller.
  explicit Predictor(const Model& model);
  ~Predictor();
  Predictor(Predictor&&) noexcept;

  // After the model has got early stages: makes their tables, too.
  void take_early_stages();

  // Of the pixels of a scene: raw spectra (pixels x d, only the model's bands, in its order; finite), followed by the
  // features of their profiles (pixels x (d + q)) where the model has a kernel of these. `values` are resized.
  //
  // Decision values f_c(x), pixels x K.
  void decision_values(const Spectra& spectra, int threads, Spectra& values) const;
  // Values of which the largest is that of the label, pixels x K, sooner: where an early stage of the model decides
  // (classifier/early_stages.hpp) they are its approximations, and elsewhere decision values.
  void label_values(const Spectra& spectra, int threads, Spectra& values) const;
  // Which labelled features decide, of a model with origins (F features).
  //
  // The terms of feature F in f_c, in double precision, pixels x (K F), those of class c from column c F on: their sum
  // and the bias of c are f_c.
  [[nodiscard]] Matrix feature_terms(const Spectra& spectra, int threads) const;
  // Decision values as above, in the same pass, and for each pixel (pixels x 3) the number from 1 of the feature that
  // speaks most for the largest value g_w against the second one g_s, the number of the one that speaks most against
  // it, and g_w - g_s less what the first has more than usual. What a feature says is its part of g_w - g_s less that
  // of `means` (K x F), the means of feature_terms() over the map.
  void deciding(const Spectra& spectra, int threads, const Matrix& means, Spectra& values, Spectra& result) const;
  // softmax(a f(x)), pixels x K.
  void probabilities(const Spectra& spectra, int threads, Spectra& values) const;
  // 1 less the tail probability of each class, pixels x K in [0, 1]. Profiles are not looked at. `density` receives the
  // local point density, pixels x K in [0, 1]: the share of the samples kept of a class within its radius of the
  // spectrum; NaN where none are kept.
  void unlikeness(const Spectra& spectra, int threads, Spectra& values, Spectra* density = nullptr) const;
  // The least of these, pixels x 1.
  void novelty(const Spectra& spectra, int threads, Spectra& values) const;

  // The same of the rows of an array, whose columns are the model's bands, for programs that keep spectra in arrays.
  // They are predicted block by block, so that memory beside the result is that of a block. `values` has a row for each
  // of `pixels`; `threads` may be 0 for all processors. DataError for a model with a kernel of profiles, which asks for
  // the pixels around each spectrum, and as PixelRows::read(); what `progress` throws. `values` are then undefined.
  //
  // n x K.
  void decision_values(const PixelRows& pixels, int threads, ArrayResult values, const Progress& progress) const;
  // n x K, in double precision.
  void probabilities(const PixelRows& pixels, int threads, ArrayResult values, const Progress& progress) const;
  // n x 1.
  void novelty(const PixelRows& pixels, int threads, ArrayResult values, const Progress& progress) const;
  // Of two classes: the logarithm of the odds of the second one, n x 1, which is positive where it is the label.
  void log_odds(const PixelRows& pixels, int threads, ArrayResult values, const Progress& progress) const;
  // The index of the class, n.
  void labels(const PixelRows& pixels, int threads, std::int64_t* labels, const Progress& progress) const;

  // Bytes that decision values, and about how many bytes novelty, take beside arguments and results; and how many
  // deciding() takes more than decision values.
  [[nodiscard]] std::size_t decision_bytes(int threads) const;
  [[nodiscard]] std::size_t deciding_bytes(int threads) const;
  [[nodiscard]] std::size_t novelty_bytes(int threads) const;

 private:
  struct Tables;
  // `read(first, count, buffer)` hands out some of the rows, which may lie in the buffer.
  template <typename Read>
  void evaluate_unlikeness(Index rows, int threads, const Read& read, Spectra& values, Spectra* density) const;
  // use(first, values) with the decision values of every block of the rows of an array.
  template <typename Use>
  void for_each_block(const PixelRows& pixels, int threads, const Progress& progress, const Use& use) const;

  const Model& model_;
  std::unique_ptr<Tables> tables_;
};

}  // namespace parsimap
