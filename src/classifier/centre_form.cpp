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

// -1/2 of the squared norms of the parts of coordinates: of spectra and, where there are any, of profiles.
Matrix half_norms(const Matrix& coordinates, Index features) {
  Matrix norms(coordinates.rows(), features > 0 ? 2 : 1);
  norms.col(0) = -0.5 * coordinates.leftCols(coordinates.cols() - features).rowwise().squaredNorm();
  if (features > 0) {
    norms.col(1) = -0.5 * coordinates.rightCols(features).rowwise().squaredNorm();
  }
  return norms;
}

// From products of coordinates to exp(-1/2 |a - b|^2).
template <typename Values, typename Norms>
void exponentials(Values& tile, const Norms& rows, const Norms& columns) {
  tile.colwise() += rows;
  tile.rowwise() += columns.transpose();
  // Not widened at the same time: such exponentials are computed one by one.
  tile = tile.array().min(typename Values::Scalar(0)).exp();
}

}  // namespace

template <typename Scalar>
CentreForm<Scalar>::CentreForm(const ClassMetric& metric, const Spectra& spectra, const Matrix& centres, Work work)
    : spectra_(spectra), kernel_(metric), centre_matrix_(kernel_.block(centres, centres)), work_(std::move(work)) {
  centre_matrix_.diagonal().setOnes();
  const Matrix mapped = kernel_.map(centres);
  centres_ = mapped.transpose().cast<Scalar>();
  norms_ = half_norms(mapped, metric.profile.features).cast<Scalar>();
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
  count_work(work_, operations(count, centres(), kernel_operations(centres_.rows(), kernel_.profile().features)));
}

template <typename Scalar>
void CentreForm<Scalar>::full_rows(const Matrix& spectra, Eigen::Ref<Matrix> values) const {
  const ProfileTerm& profile = kernel_.profile();
  const Matrix mapped = kernel_.map(spectra);
  Values coordinates;
  coordinates = mapped.cast<Scalar>();
  const Values norms = half_norms(mapped, profile.features).cast<Scalar>();
  const Index p = mapped.cols() - profile.features;
  Values tile;
  Values of_profiles;
  for (Index first = 0; first < centres(); first += kTile) {
    const Index width = std::min(kTile, centres() - first);
    const auto some = centres_.middleCols(first, width);
    tile.noalias() = coordinates.leftCols(p) * some.topRows(p);
    exponentials(tile, Norms(norms.col(0)), Norms(norms_.col(0).segment(first, width)));
    if (profile.features > 0) {
      of_profiles.noalias() = coordinates.rightCols(profile.features) * some.bottomRows(profile.features);
      exponentials(of_profiles, Norms(norms.col(1)), Norms(norms_.col(1).segment(first, width)));
      tile = static_cast<Scalar>(1 - profile.share) * tile + static_cast<Scalar>(profile.share) * of_profiles;
    }
    values.middleCols(first, width) = tile.topRows(values.rows()).template cast<double>();
  }
}

template class CentreForm<float>;
template class CentreForm<double>;

}  // namespace parsimap
