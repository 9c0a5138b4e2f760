// One kernel of all classifiers, by tiles of pixels and support spectra: its values are computed once for a tile, and
// one product with the coefficients of all classifiers adds them up.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Whole rows of Eigen's product kernel for every vector width (48 floats for AVX-512, 24 for AVX2, 12 for SSE, and half
// as many doubles). Tiles are padded to them, so that a pixel's values are rounded in the same way wherever it lies in
// a block.
template <typename Scalar>
constexpr Index kKernelRows = sizeof(Scalar) == sizeof(float) ? 48 : 24;

// Pixels of one tile at most.
template <typename Scalar>
constexpr Index kTilePixels = sizeof(Scalar) == sizeof(float) ? 480 : 24;

// Rows of a tile of so many pixels.
template <typename Scalar>
constexpr Index padded_rows(Index pixels) {
  return (pixels + kKernelRows<Scalar> - 1) / kKernelRows<Scalar> * kKernelRows<Scalar>;
}

// Support spectra of one tile.
constexpr Index kTileSupport = 128;

// sum_j c_jk 2^(-1/2 |a - a_j|^2) for every output k.
template <typename Scalar>
class SharedKernel {
 public:
  // What a thread needs for one tile of pixels.
  struct Workspace {
    Eigen::VectorX<Scalar> offsets;  // -1/2 of the squared norms, tile
    Eigen::MatrixX<Scalar> values;   // tile x support of the tile
    Eigen::MatrixX<Scalar> sums;     // tile x K, of one tile of support spectra
  };

  // Coordinates a_j (m x q) and coefficients (m x K). `wide`: kernel values are typically closer to 1 than to 0, and
  // are summed as differences from 1.
  SharedKernel(const Matrix& support, const Matrix& coefficients, bool wide);

  [[nodiscard]] Workspace workspace() const;

  // Adds the sums for the pixels of a tile with these coordinates (padded rows x q) to `sums` (padded rows x K), tiles
  // of support spectra in double precision and always in the same order. `terms` (tile x (K bins)) are added to as
  // well, by the bins of the support spectra (m).
  void add(const Eigen::Ref<const Eigen::MatrixX<Scalar>>& pixels, Workspace& work, Eigen::Ref<Matrix> sums,
           const Indices* bins = nullptr, Eigen::MatrixX<Scalar>* terms = nullptr) const;

 private:
  struct Tile {
    Eigen::MatrixX<Scalar> support;       // columns x q
    Eigen::VectorX<Scalar> norms;         // -1/2 |a_j|^2
    Eigen::MatrixX<Scalar> coefficients;  // columns x K
  };

  Scalar shift_;             // 1 where differences from 1 are summed
  Eigen::RowVectorXd bias_;  // K, makes up for it
  std::vector<Tile> tiles_;
};

extern template class SharedKernel<float>;
extern template class SharedKernel<double>;

}  // namespace parsimap
