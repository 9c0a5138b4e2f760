#include "shared_coordinates.hpp"

#include <Eigen/QR>

#include <algorithm>

#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/hdda/subspace_model.hpp"

namespace parsimap {

// Smallest variance of the rest, relative to the largest of the main directions: no factor is below 1e-4.
constexpr double kLeastNoise = 1e-8;

// A direction along which a metric differs from w_0 by less than this fraction of it has no measurable effect, and
// would take as long as any other.
constexpr double kNegligible = 1e-12;

// Whether single precision is in danger: the classifier counts a direction less than the rest, so that distances in all
// bands are too large along it.
static bool counts_directions_less(const BinaryClassifier& classifier) {
  return (classifier.metric.weights.array() < classifier.metric.rest_weight).any();
}

bool share_product(const std::vector<BinaryClassifier>& classifiers) {
  return std::any_of(classifiers.begin(), classifiers.end(),
                     [](const BinaryClassifier& classifier) { return classifier.metric.rest_weight != 0; });
}

SharedCoordinates::SharedCoordinates(const std::vector<BinaryClassifier>& classifiers, const Matrix& support)
    : directions_(support.cols(), 0), roots_(0) {
  if (std::none_of(classifiers.begin(), classifiers.end(), counts_directions_less) || support.rows() < 2) {
    return;
  }
  // U are the main directions of all support spectra, and r_l = sqrt(min(1, noise variance / variance along U_l)): in
  // z = T x the spectra vary along U as little as in the other directions. The bound on the noise variance keeps r at
  // 1e-4 or more.
  SubspaceModel model = subspace_model(class_statistics(support), DimensionRule{});
  if (model.dimension() > 0) {
    const double noise = std::max(model.noise_variance, kLeastNoise * model.variances(0));
    directions_ = std::move(model.directions);
    roots_ = (noise / model.variances.array()).min(1.0).sqrt();
  }
}

Matrix SharedCoordinates::apply(const Matrix& spectra) const {
  if (roots_.size() == 0) {
    return spectra;
  }
  const Matrix along = spectra * directions_;
  const Matrix stretched = along * (roots_.array() - 1).matrix().asDiagonal();
  return spectra + stretched * directions_.transpose();
}

SharedCoordinates::Correction SharedCoordinates::correction(const ClassMetric& metric) const {
  const Index u = roots_.size();
  const Index p = metric.weights.size();
  if (u == 0) {
    return {metric.directions, metric.weights.array() - metric.rest_weight};
  }
  // T^-1 Q, with T^-1 = I + U diag(1/r - 1) U'.
  const Matrix stretched = metric.directions + directions_ * (roots_.cwiseInverse().array() - 1).matrix().asDiagonal() *
                                                   (directions_.transpose() * metric.directions);
  // The correction E diag(e) E' = T^-1 (w_0 I + Q diag(v - w_0) Q') T^-1 - w_0 I lives in the span of U and T^-1 Q. In
  // an orthonormal basis of that span it is a small matrix, U diag(w_0 (1/r^2 - 1)) U' + T^-1 Q diag(v - w_0) Q'T^-1,
  // whose eigenvectors and eigenvalues give E and e.
  Matrix spanning(directions_.rows(), u + p);
  spanning << directions_, stretched;
  const Eigen::ColPivHouseholderQR<Matrix> decomposition(spanning);
  // Support spectra whose variances overflow, as a damaged model may have them, span nothing.
  if (decomposition.rank() == 0) {
    return {Matrix(spanning.rows(), 0), Vector(0)};
  }
  const Matrix basis = decomposition.householderQ() * Matrix::Identity(spanning.rows(), decomposition.rank());
  const Matrix shared = basis.transpose() * directions_;
  const Matrix own = basis.transpose() * stretched;
  const Vector shared_weights = metric.rest_weight * (roots_.array().square().inverse() - 1);
  const Vector own_weights = metric.weights.array() - metric.rest_weight;
  const auto [values, vectors] = eigendecomposition(shared * shared_weights.asDiagonal() * shared.transpose() +
                                                    own * own_weights.asDiagonal() * own.transpose());
  Indices kept;
  for (Index l = values.size() - 1; l >= 0; --l) {
    if (std::abs(values(l)) > kNegligible * metric.rest_weight) {
      kept.push_back(l);
    }
  }
  return {basis * vectors(Eigen::all, kept), values(kept)};
}

}  // namespace parsimap
