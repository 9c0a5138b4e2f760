#include "shared_kernel.hpp"

#include <algorithm>

#include "pack.hpp"

namespace parsimap {

// x <- 2^min(x, 0) - shift, for all of a tile.
template <typename Scalar>
static void shifted_powers(Eigen::Ref<Eigen::MatrixX<Scalar>> tile, Scalar shift) {
  for (Index j = 0; j < tile.cols(); ++j) {
    for (Index i = 0; i < tile.rows(); i += kPack<Scalar>) {
      auto values = load_pack(&tile(i, j));
      shifted_power(values, shift);
      store_pack(values, &tile(i, j));
    }
  }
}

template <typename Scalar>
SharedKernel<Scalar>::SharedKernel(const Matrix& support, const Matrix& coefficients, bool wide)
    : shift_(wide ? Scalar{1} : Scalar{0}), bias_(Eigen::RowVectorXd::Zero(coefficients.cols())) {
  if (wide) {
    bias_ = coefficients.colwise().sum();
  }
  for (Index first = 0; first < support.rows(); first += kTileSupport) {
    const Index count = std::min(kTileSupport, support.rows() - first);
    const auto some = support.middleRows(first, count);
    tiles_.push_back({some.template cast<Scalar>(), (-0.5 * some.rowwise().squaredNorm()).template cast<Scalar>(),
                      coefficients.middleRows(first, count).template cast<Scalar>()});
  }
}

template <typename Scalar>
typename SharedKernel<Scalar>::Workspace SharedKernel<Scalar>::workspace() const {
  constexpr Index pixels = kTilePixels<Scalar>;
  return {Eigen::VectorX<Scalar>(pixels), Eigen::MatrixX<Scalar>(pixels, kTileSupport),
          Eigen::MatrixX<Scalar>(pixels, bias_.size())};
}

template <typename Scalar>
void SharedKernel<Scalar>::add(const Eigen::Ref<const Eigen::MatrixX<Scalar>>& pixels, Workspace& work,
                               Eigen::Ref<Matrix> sums, const Indices* bins, Eigen::MatrixX<Scalar>* terms) const {
  const Index rows = pixels.rows();
  std::size_t support = 0;
  work.offsets.head(rows) = Scalar(-0.5) * pixels.rowwise().squaredNorm();
  for (const Tile& tile : tiles_) {
    auto values = work.values.topLeftCorner(rows, tile.support.rows());
    values.noalias() = pixels * tile.support.transpose();
    values.colwise() += work.offsets.head(rows);
    values.rowwise() += tile.norms.transpose();
    shifted_powers<Scalar>(values, shift_);
    work.sums.topRows(rows).noalias() = values * tile.coefficients;
    sums += work.sums.topRows(rows).template cast<double>();
    for (Index j = 0; terms != nullptr && j < values.cols(); ++j, ++support) {
      for (Index c = 0; c < sums.cols(); ++c) {
        terms->col(c * (terms->cols() / sums.cols()) + (*bins)[support]).head(rows) +=
            tile.coefficients(j, c) * values.col(j);
      }
    }
  }
  sums.rowwise() += bias_;
}

template class SharedKernel<float>;
template class SharedKernel<double>;

}  // namespace parsimap
