#include "parsimap/classifier/array_predictor.hpp"

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/core/parallel_for.hpp"

namespace parsimap {
namespace {

// Rows between two looks at progress: some hundredths of a second, and work for many threads.
constexpr Index kBlockRows = 65536;

const Model& without_profiles(const Model& model) {
  if (model.profile) {
    throw DataError(
        "the model has a kernel of morphological profiles, which are computed from the pixels around each one: it "
        "classifies scenes, and no single spectra");
  }
  return model;
}

template <typename Step>
void step_through(Index rows, const Progress& progress, const Step& step) {
  for (Index first = 0; first < rows; first += kBlockRows) {
    const Index count = std::min(kBlockRows, rows - first);
    step(first, count);
    if (progress) {
      progress(static_cast<double>(first + count) / static_cast<double>(rows));
    }
  }
}

}  // namespace

ArrayPredictor::ArrayPredictor(const Model& model)
    : model_(without_profiles(model)), decision_(model), novelty_(model) {}

template <typename Use>
void ArrayPredictor::for_each_block(const PixelRows& pixels, int threads, const Progress& progress,
                                    const Use& use) const {
  Spectra values;
  step_through(pixels.rows(), progress, [&](Index first, Index count) {
    decision_.evaluate(pixels, first, count, resolve_threads(threads), values);
    use(first, values);
  });
}

void ArrayPredictor::decision_values(const PixelRows& pixels, int threads, ArrayResult values,
                                     const Progress& progress) const {
  for_each_block(pixels, threads, progress, [&](Index first, const Spectra& block) {
    values.middleRows(first, block.rows()) = block.cast<double>();
  });
}

void ArrayPredictor::log_odds(const PixelRows& pixels, int threads, ArrayResult values,
                              const Progress& progress) const {
  for_each_block(pixels, threads, progress, [&](Index first, const Spectra& block) {
    const Matrix exact = block.cast<double>();
    values.col(0).segment(first, block.rows()) = model_.softmax_slope * (exact.col(1) - exact.col(0));
  });
}

void ArrayPredictor::probabilities(const PixelRows& pixels, int threads, ArrayResult values,
                                   const Progress& progress) const {
  for_each_block(pixels, threads, progress, [&](Index first, const Spectra& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      double* const row = values.row(first + i).data();
      std::copy(block.row(i).begin(), block.row(i).end(), row);
      softmax(model_.softmax_slope, row, block.cols());
    }
  });
}

void ArrayPredictor::labels(const PixelRows& pixels, int threads, std::int64_t* labels,
                            const Progress& progress) const {
  for_each_block(pixels, threads, progress, [&](Index first, const Spectra& block) {
    for (Index i = 0; i < block.rows(); ++i) {
      Index best = 0;
      block.row(i).maxCoeff(&best);
      labels[first + i] = best;
    }
  });
}

void ArrayPredictor::novelty(const PixelRows& pixels, int threads, ArrayResult values, const Progress& progress) const {
  Spectra block;
  step_through(pixels.rows(), progress, [&](Index first, Index count) {
    novelty_.evaluate(pixels, first, count, resolve_threads(threads), block);
    values.middleRows(first, count) = block.cast<double>();
  });
}

}  // namespace parsimap
