// What a model says of the spectra of an array, for programs that keep spectra in arrays: labels, probabilities,
// decision values and novelty, block by block, so that beside the result memory is that of a block.
#pragma once

#include "parsimap/classifier/decision_function.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/novelty_function.hpp"
#include "parsimap/classifier/pixel_rows.hpp"
#include "parsimap/core/progress.hpp"

namespace parsimap {

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
  // In [0, 1], n x 1 (classifier/class_novelty.hpp).
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
