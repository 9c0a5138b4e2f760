#include "parsimap/classifier/novelty_function.hpp"

#include <algorithm>

#include "parsimap/core/parallel_for.hpp"

namespace parsimap {
namespace {

// Pixels of one tile: whole rows of Eigen's product kernel for every vector width (24 doubles for AVX-512, 12 for AVX2,
// 6 for SSE). A tile is always full, so that a pixel is rounded in the same way wherever it lies in a block.
constexpr Index kTilePixels = 240;

}  // namespace

template <typename Read>
void NoveltyFunction::evaluate_tiles(Index rows, int threads, const Read& read, Spectra& novelty) const {
  novelty.resize(rows, 1);
  const Index tiles = (rows + kTilePixels - 1) / kTilePixels;
  // As in the decision function, threads without a tile would only wait.
  parallel_for(tiles, static_cast<int>(std::min<Index>(tiles, threads)), [&](Index tile) {
    const Index first = tile * kTilePixels;
    const Index count = std::min(kTilePixels, rows - first);
    const Index bands = model_.scaling.offset.size();
    Matrix raw = Matrix::Zero(kTilePixels, bands);
    Spectra buffer;
    raw.topRows(count) = read(first, count, buffer).leftCols(bands).template cast<double>();
    const Matrix pixels = model_.scaling.apply(raw);
    // Novelty is 1 less the probability under the class that the pixel is likeliest in.
    Vector likeliest = Vector::Zero(kTilePixels);
    for (const ClassNovelty& one : model_.novelty) {
      const Vector distances = squared_mahalanobis(one.gaussian, pixels);
      for (Index i = 0; i < count; ++i) {
        likeliest(i) = std::max(likeliest(i), tail_probability(one.tail, distances(i)));
      }
    }
    novelty.col(0).segment(first, count) = (1 - likeliest.head(count).array()).cast<float>().matrix();
  });
}

void NoveltyFunction::evaluate(const Spectra& spectra, int threads, Spectra& novelty) const {
  const auto read = [&](Index first, Index count, Spectra& /*buffer*/) { return spectra.middleRows(first, count); };
  evaluate_tiles(spectra.rows(), threads, read, novelty);
}

void NoveltyFunction::evaluate(const PixelRows& pixels, Index first, Index count, int threads, Spectra& novelty) const {
  const auto read = [&](Index from, Index size, Spectra& buffer) { return pixels.read(first + from, size, buffer); };
  evaluate_tiles(count, threads, read, novelty);
}

std::size_t NoveltyFunction::working_bytes(int threads) const {
  constexpr Index kMatrices = 4;  // raw, scaled, centred and projected spectra
  return static_cast<std::size_t>(threads) * sizeof(double) *
         static_cast<std::size_t>(kMatrices * kTilePixels * model_.scaling.offset.size());
}

}  // namespace parsimap
