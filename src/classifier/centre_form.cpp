#include "centre_form.hpp"

#include <algorithm>
#include <utility>

namespace parsimap {
namespace {

// Centres whose kernel values stay in cache from their product to their exponential.
constexpr Index kTile = 256;

// Samples that are computed together: whole rows of Eigen's product kernel for every vector width, and always as many,
// so that a sample's values are rounded in the same way beside whatever others. What is taken out of a sum is then what
// was put in.
constexpr Index kRows = 144;

}  // namespace

template <typename Scalar>
CentreForm<Scalar>::CentreForm(const ClassMetric& metric, const Spectra& spectra, const Matrix& centres, Work work)
    : spectra_(spectra), kernel_(metric), centre_matrix_(kernel_.block(centres, centres)), work_(std::move(work)) {
  centre_matrix_.diagonal().setOnes();
  const Matrix mapped = kernel_.map(centres);
  centres_ = mapped.transpose().cast<Scalar>();
  norms_ = (-0.5 * mapped.rowwise().squaredNorm()).cast<Scalar>();
}

template <typename Scalar>
void CentreForm<Scalar>::rows(const Indices& rows, Eigen::Ref<Matrix> values) const {
  const auto count = static_cast<Index>(rows.size());
  for (Index first = 0; first < count; first += kRows) {
    const Index size = std::min(kRows, count - first);
    Matrix spectra = Matrix::Zero(kRows, spectra_.cols());
    for (Index i = 0; i < size; ++i) {
      spectra.row(i) = spectra_.row(rows[static_cast<std::size_t>(first + i)]).template cast<double>();
    }
    full_rows(spectra, values.middleRows(first, size));
  }
  count_work(work_, operations(count, centres(), kernel_operations(centres_.rows())));
}

template <typename Scalar>
void CentreForm<Scalar>::full_rows(const Matrix& spectra, Eigen::Ref<Matrix> values) const {
  const Matrix mapped = kernel_.map(spectra);
  Eigen::MatrixX<Scalar> coordinates;
  coordinates = mapped.cast<Scalar>();
  const Eigen::VectorX<Scalar> norms = (-0.5 * mapped.rowwise().squaredNorm()).template cast<Scalar>();
  Eigen::MatrixX<Scalar> tile;
  for (Index first = 0; first < centres(); first += kTile) {
    const Index width = std::min(kTile, centres() - first);
    tile.noalias() = coordinates * centres_.middleCols(first, width);
    tile.colwise() += norms;
    tile.rowwise() += norms_.segment(first, width).transpose();
    // In two steps: exponentials of values that are widened at the same time are computed one by one.
    tile = tile.array().min(Scalar(0)).exp();
    values.middleCols(first, width) = tile.topRows(values.rows()).template cast<double>();
  }
}

template class CentreForm<float>;
template class CentreForm<double>;

}  // namespace parsimap
