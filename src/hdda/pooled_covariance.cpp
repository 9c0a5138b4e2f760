#include "parsimap/hdda/pooled_covariance.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/hdda/class_statistics.hpp"

namespace parsimap {
namespace {

// A variance within the classes below this part of the band's mean square is what rounding leaves of none.
constexpr double kRounding = 1e-24;

}  // namespace

Matrix centred_by_class(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes) {
  Matrix means = Matrix::Zero(static_cast<Index>(classes), spectra.cols());
  Vector counts = Vector::Zero(static_cast<Index>(classes));
  for (Index i = 0; i < spectra.rows(); ++i) {
    const Index c = labels[static_cast<std::size_t>(i)];
    means.row(c) += spectra.row(i);
    counts(c) += 1;
  }
  means.array().colwise() /= counts.array().max(1.0);
  Matrix centred = spectra - means(labels, Eigen::all);
  for (Index band = 0; band < spectra.cols(); ++band) {
    if (centred.col(band).squaredNorm() <= kRounding * spectra.col(band).squaredNorm()) {
      centred.col(band).setZero();
    }
  }
  return centred;
}

Matrix Whitening::apply(const Matrix& spectra) const {
  return factors.size() > 0 ? Matrix(spectra * factors.asDiagonal()) : Matrix(spectra * directions);
}

Whitening pooled_whitening(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes, bool diagonal) {
  const Matrix centred = centred_by_class(spectra, labels, classes);
  Whitening whitening;
  if (diagonal) {
    const Vector variances = centred.colwise().squaredNorm() / static_cast<double>(spectra.rows());
    whitening.factors = (variances.array() > 0).select(variances.array().rsqrt(), 0.0);
  } else {
    const ClassStatistics pooled = class_statistics(centred);
    whitening.directions = pooled.eigenvectors * pooled.eigenvalues.cwiseSqrt().cwiseInverse().asDiagonal();
  }
  if (whitening.directions.cols() == 0 && !(whitening.factors.array() > 0).any()) {
    throw DataError("the pooled covariance is zero: every training sample is the mean of its class");
  }
  return whitening;
}

}  // namespace parsimap
