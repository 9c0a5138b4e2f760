#include "classifier/shared_coordinates.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"
#include "parsimap/kernel/kernel.hpp"

#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

// Spectra that vary a thousand times as much along two directions as across them.
Matrix strong_spectra(Index n, Index bands) {
  Random random(3);
  const Matrix directions = toy::orthonormal(bands, 2, 4);
  const Matrix spectra = random.normal_matrix(n, bands) + 1000 * random.normal_matrix(n, 2) * directions.transpose();
  return spectra.rowwise() - spectra.colwise().mean();
}

BinaryClassifier classifier_with(const ClassMetric& metric) {
  BinaryClassifier classifier;
  classifier.metric = metric;
  return classifier;
}

}  // namespace

TEST_CASE("shared coordinates: distances of a classifier's metric are those of its correction") {
  const Matrix spectra = strong_spectra(60, 12);
  const ClassMetric metric{toy::orthonormal(12, 3, 9), Vector{{1e-6, 1e-4, 5.0}}, 0.5};
  const SharedCoordinates coordinates({classifier_with(metric)}, spectra);
  const Matrix z = coordinates.apply(spectra);
  // The strong directions are strong no more.
  CHECK(z.squaredNorm() < 1e-3 * spectra.squaredNorm());
  const SharedCoordinates::Correction correction = coordinates.correction(metric);
  CHECK(correction.directions.cols() <= 5);
  const Matrix mapped = MahalanobisKernel(metric).map(spectra);
  for (Index i = 1; i < 20; ++i) {
    const Eigen::RowVectorXd difference = z.row(i) - z.row(0);
    const double distance = metric.rest_weight * difference.squaredNorm() +
                            (difference * correction.directions).cwiseAbs2().transpose().dot(correction.weights);
    CHECK(distance == doctest::Approx((mapped.row(i) - mapped.row(0)).squaredNorm()).epsilon(1e-8));
  }
}

TEST_CASE("shared coordinates: printed kernels keep the bands as they are") {
  const Matrix spectra = strong_spectra(30, 8);
  const ClassMetric printed{toy::orthonormal(8, 2, 1), Vector{{2.0, 0.7}}, 0.5};
  const SharedCoordinates coordinates({classifier_with(printed)}, spectra);
  CHECK(coordinates.apply(spectra) == spectra);
  const SharedCoordinates::Correction correction = coordinates.correction(printed);
  CHECK(correction.directions == printed.directions);
  CHECK(correction.weights.isApprox(Vector{{1.5, 0.2}}));
}

TEST_CASE("shared coordinates: spectra whose variances overflow leave a metric without correction") {
  const Matrix spectra = 1e200 * strong_spectra(30, 8);
  const ClassMetric metric{toy::orthonormal(8, 2, 1), Vector{{1e-6, 0.1}}, 0.5};
  const SharedCoordinates coordinates({classifier_with(metric)}, spectra);
  const SharedCoordinates::Correction correction = coordinates.correction(metric);
  CHECK(correction.directions.rows() == 8);
  CHECK(correction.directions.cols() == correction.weights.size());
}
