#include "parsimap/inspection/class_separability.hpp"

#include <Eigen/LU>
#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/random.hpp"
#include "parsimap/hdda/blended_model.hpp"

using namespace parsimap;

namespace {

// Two classes of 150 samples in 8 bands: strong in three, `shift` apart in the last.
Matrix two_classes(double shift, std::vector<int>& labels) {
  Matrix spectra = Random(3).normal_matrix(300, 8);
  spectra.leftCols(3) *= 5;
  for (Index i = 0; i < 300; ++i) {
    labels.push_back(static_cast<int>(i % 2));
    spectra(i, 7) += i % 2 == 0 ? shift : 0;
  }
  return spectra;
}

Matrix covariance_of(const SubspaceModel& model, Index bands) {
  const Matrix& q = model.directions;
  return q * model.variances.asDiagonal() * q.transpose() +
         model.noise_variance * (Matrix::Identity(bands, bands) - q * q.transpose());
}

Vector mean_of(const Matrix& spectra, const std::vector<int>& labels, int c) {
  Vector sum = Vector::Zero(spectra.cols());
  double count = 0;
  for (Index i = 0; i < spectra.rows(); ++i) {
    if (labels[static_cast<std::size_t>(i)] == c) {
      sum += spectra.row(i).transpose();
      count += 1;
    }
  }
  return sum / count;
}

}  // namespace

TEST_CASE("the distance of two classes is that of the formula") {
  std::vector<int> labels;
  const Matrix spectra = two_classes(1.5, labels);
  const DimensionRule rule{DimensionMethod::fixed, 3};
  const std::vector<ClassPair> pairs = class_separability(spectra, labels, 3, rule, 1);
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].first == 0);
  CHECK(pairs[0].second == 1);
  const BlendedModels models(spectra, labels, 3);
  const Matrix first = covariance_of(models.model(0, 0.5, rule), 8);
  const Matrix second = covariance_of(models.model(1, 0.5, rule), 8);
  const Matrix middle = (first + second) / 2;
  const Vector difference = mean_of(spectra, labels, 0) - mean_of(spectra, labels, 1);
  const double expected = difference.dot(middle.inverse() * difference) / 8 +
                          std::log(middle.determinant() / std::sqrt(first.determinant() * second.determinant())) / 2;
  CHECK(pairs[0].bhattacharyya == doctest::Approx(expected));
  CHECK(pairs[0].jeffries_matusita == doctest::Approx(2 * (1 - std::exp(-expected))));
}

TEST_CASE("classes that are the same have no distance, and those far apart have all of it") {
  std::vector<int> labels;
  const Matrix same = two_classes(0, labels);
  CHECK(class_separability(same, labels, 2, {}, 2)[0].jeffries_matusita < 0.1);
  labels.clear();
  const Matrix apart = two_classes(30, labels);
  CHECK(class_separability(apart, labels, 2, {}, 2)[0].jeffries_matusita > 1.999);
}

TEST_CASE("classes of a single sample or without variance have distances too") {
  Matrix spectra = Matrix::Ones(5, 4);
  spectra.row(4).setConstant(2);
  const std::vector<ClassPair> pairs = class_separability(spectra, {0, 0, 1, 1, 2}, 3, {}, 1);
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[0].jeffries_matusita < 1e-6);
  CHECK(pairs[1].jeffries_matusita > 1.9);
}
