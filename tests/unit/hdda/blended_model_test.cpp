#include <Eigen/Eigenvalues>
#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"
#include "parsimap/hdda/subspace_model.hpp"

#include "unit/hdda/covariance.hpp"

namespace parsimap::test {
namespace {

struct Labelled {
  Matrix spectra;
  std::vector<int> labels;
};

// Class 0 varies along the first band, class 1 along the second; class 2 has `few` samples.
Labelled three_classes(Index bands, Index few) {
  const Index n = 40 + few;
  Random random(5);
  Labelled data{random.normal_matrix(n, bands), {}};
  for (Index i = 0; i < n; ++i) {
    data.labels.push_back(i >= 40 ? 2 : static_cast<int>(i % 2));
    data.spectra(i, i % 2) *= 6;
    data.spectra.row(i).array() += 10.0 * data.labels.back();
  }
  return data;
}

Matrix naive_blend(const Labelled& data, int c, double blend) {
  Matrix pooled = Matrix::Zero(data.spectra.cols(), data.spectra.cols());
  Matrix own = pooled;
  for (int k = 0; k < 3; ++k) {
    Indices rows;
    for (std::size_t i = 0; i < data.labels.size(); ++i) {
      if (data.labels[i] == k) {
        rows.push_back(static_cast<Index>(i));
      }
    }
    const Matrix of_class = toy::covariance(data.spectra(rows, Eigen::all));
    pooled += of_class * static_cast<double>(rows.size()) / static_cast<double>(data.labels.size());
    own = k == c ? of_class : own;
  }
  return blend * own + (1 - blend) * pooled;
}

Matrix covariance_of(const SubspaceModel& model) {
  const Index d = model.directions.rows();
  const Matrix q = model.directions;
  return q * model.variances.asDiagonal() * q.transpose() +
         model.noise_variance * (Matrix::Identity(d, d) - q * q.transpose());
}

}  // namespace

TEST_CASE("blended models: all directions of the model give the blended covariance, by the naive formula") {
  for (const Index bands : {6, 80}) {  // more and fewer samples than bands
    const Labelled data = three_classes(bands, 10);
    const BlendedModels models(data.spectra, data.labels, 3);
    for (const double blend : {0.0, 0.3, 1.0}) {
      const Matrix expected = naive_blend(data, 1, blend);
      const SubspaceModel model = models.model(1, blend, {DimensionMethod::fixed, 1000});
      CHECK((covariance_of(model) - expected).norm() <
            1e-9 * expected.norm() + (bands == 6 ? 0.5 * expected.norm() : 0));
      CHECK(model.variances.sum() + static_cast<double>(bands - model.dimension()) * model.noise_variance ==
            doctest::Approx(expected.trace()));
      const Eigen::SelfAdjointEigenSolver<Matrix> solver(expected);
      CHECK(model.variances(0) == doctest::Approx(solver.eigenvalues().maxCoeff()).epsilon(1e-9));
    }
  }
}

TEST_CASE("blended models: each class keeps its own main direction, and without blending none does") {
  const Labelled data = three_classes(6, 10);
  const BlendedModels models(data.spectra, data.labels, 3);
  const DimensionRule one{DimensionMethod::fixed, 1};
  CHECK(std::abs(models.model(0, 1, one).directions(0, 0)) > 0.95);
  CHECK(std::abs(models.model(1, 1, one).directions(1, 0)) > 0.95);
  CHECK(models.model(0, 0, one).directions.isApprox(models.model(1, 0, one).directions));
}

TEST_CASE("blended models: a class of one or two samples takes the pooled covariance") {
  for (const Index few : {1, 2, 3}) {
    const Labelled data = three_classes(6, few);
    const BlendedModels models(data.spectra, data.labels, 3);
    const SubspaceModel own = models.model(2, 1, {});
    const SubspaceModel pooled = models.model(0, 0, {});
    CHECK(own.variances.isApprox(pooled.variances));
    CHECK(own.noise_variance == doctest::Approx(pooled.noise_variance));
  }
}

TEST_CASE("blended models: equal spectra have no directions") {
  const BlendedModels models(Matrix::Constant(10, 3, 7.0), std::vector<int>(10, 0), 1);
  CHECK(models.model(0, 0.5, {}).dimension() == 0);
  CHECK(models.model(0, 1, {}).noise_variance == 0);
}

TEST_CASE("blended covariances: the models are those of the centred samples, on any number of threads") {
  // More samples than are added up at once, and a class too small for a covariance of its own.
  constexpr Index kSamples = 3000;
  Matrix spectra = Random(3).normal_matrix(kSamples, 6);
  std::vector<int> labels;
  for (Index i = 0; i < kSamples; ++i) {
    labels.push_back(i < 3 ? 2 : static_cast<int>(i % 2));
    spectra(i, labels.back()) *= 5;
    spectra.row(i).array() += 10.0 * labels.back();
  }
  const DimensionRule rule{DimensionMethod::fixed, 2};
  const BlendedModels expected(spectra, labels, 4);
  const BlendedCovariances one(spectra, labels, 4, 1);
  const BlendedCovariances three(spectra, labels, 4, 3);
  for (int c = 0; c < 4; ++c) {
    for (const double blend : {0.0, 0.5, 1.0}) {
      if (c == 3 && blend == 1) {
        continue;  // no sample, whose own covariance nobody has
      }
      INFO("class ", c, ", blend ", blend);
      const SubspaceModel model = one.model(c, blend, rule);
      const SubspaceModel wanted = expected.model(c, blend, rule);
      REQUIRE(model.dimension() == wanted.dimension());
      CHECK((model.directions - wanted.directions).norm() < 1e-9);
      CHECK((model.variances - wanted.variances).norm() < 1e-9 * wanted.variances.norm());
      CHECK(model.noise_variance == doctest::Approx(wanted.noise_variance));
      CHECK(three.model(c, blend, rule).directions == model.directions);
      CHECK(three.model(c, blend, rule).variances == model.variances);
    }
  }
}

}  // namespace parsimap::test
