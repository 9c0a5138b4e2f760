#include "parsimap/hdda/subspace_model.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/hdda/class_statistics.hpp"

#include "support/data_folder.hpp"
#include "support/text_tables.hpp"
#include "support/toy_problems.hpp"
#include "unit/hdda/covariance.hpp"

namespace parsimap::test {

namespace {

ClassStatistics with_eigenvalues(std::initializer_list<double> values, Index bands, Index samples) {
  ClassStatistics statistics;
  statistics.samples = samples;
  statistics.bands = bands;
  statistics.eigenvalues.resize(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), statistics.eigenvalues.data());
  statistics.trace = statistics.eigenvalues.sum();
  return statistics;
}

// n draws of a class with variances 10, 8, 6 along three directions and 0.1 elsewhere.
ClassStatistics three_directions(Index n, Index d) {
  Random random(11);
  const Matrix q = toy::orthonormal(d, 3, 5);
  const Vector deviations = (Vector(3) << 10, 8, 6).finished().cwiseSqrt();
  const Matrix x = random.normal_matrix(n, 3) * deviations.asDiagonal() * q.transpose() +
                   std::sqrt(0.1) * random.normal_matrix(n, d);
  return class_statistics(x);
}

Index dimension(const ClassStatistics& statistics, const std::string& rule) {
  return intrinsic_dimension(statistics, parse_dimension_rule(rule));
}

}  // namespace

TEST_CASE("scree: the last large drop counts, not the first small one") {
  // Drops: 10, 1, 5, 0.5, 0.1.
  const ClassStatistics statistics = with_eigenvalues({20, 10, 9, 4, 3.5, 3.4}, 6, 100);
  CHECK(dimension(statistics, "scree:0.6") == 1);
  CHECK(dimension(statistics, "scree:0.3") == 3);
  CHECK(dimension(statistics, "scree:0.05") == 4);
  CHECK(dimension(statistics, "scree:0.005") == 5);
}

TEST_CASE("scree: the drop to zero at the rank of few samples does not count") {
  // Rank 3 in 50 bands: the drop 5 -> 0 would win if zeros counted.
  CHECK(dimension(with_eigenvalues({9, 6, 5}, 50, 4), "scree:0.9") == 1);
}

TEST_CASE("variance and fixed rules") {
  const ClassStatistics statistics = with_eigenvalues({6, 2, 1, 1}, 5, 100);
  CHECK(dimension(statistics, "variance:0.5") == 1);
  CHECK(dimension(statistics, "variance:0.75") == 2);
  CHECK(dimension(statistics, "variance:0.85") == 3);
  CHECK(dimension(statistics, "fixed:2") == 2);
  CHECK(dimension(statistics, "fixed:40") == 4);  // cut to the rank
}

TEST_CASE("dimension: a noise subspace is always left") {
  CHECK(dimension(with_eigenvalues({3, 2, 1}, 3, 100), "fixed:3") == 2);
  CHECK(dimension(with_eigenvalues({3, 2, 1}, 3, 100), "variance:0.9999") == 2);
  CHECK(dimension(with_eigenvalues({}, 3, 100), "scree:0.1") == 0);
}

TEST_CASE("BIC and scree find the dimension that data were drawn with") {
  const ClassStatistics many = three_directions(400, 30);
  CHECK(dimension(many, "bic") == 3);
  CHECK(dimension(many, "scree:0.2") == 3);
  CHECK(dimension(three_directions(25, 60), "scree:0.2") == 3);
}

TEST_CASE("maximum likelihood finds the dimension that data were drawn with, without a penalty") {
  for (const Index p : {1, 4, 9}) {
    Random random(20 + static_cast<std::uint64_t>(p));
    const Matrix q = toy::orthonormal(25, p, 6);
    const Matrix x = 2 * random.normal_matrix(300, p) * q.transpose() + random.normal_matrix(300, 25);
    CHECK(dimension(class_statistics(x), "ml") == p);
  }
  CHECK(dimension(three_directions(400, 30), "ml") == 3);
}

TEST_CASE("maximum likelihood is that of the covariance written out") {
  Random random(31);
  for (int round = 0; round < 5; ++round) {
    const Index d = 6;
    const Matrix x = random.normal_matrix(20, d) * random.normal_matrix(d, d);
    const ClassStatistics statistics = class_statistics(x);
    const Matrix centred = x.rowwise() - x.colwise().mean();
    const Matrix covariance = centred.transpose() * centred / 20;
    Index best = 0;
    double highest = -std::numeric_limits<double>::infinity();
    for (Index p = 1; p < d; ++p) {
      const Matrix q = statistics.eigenvectors.leftCols(p);
      const Matrix projector = q * q.transpose();
      const double a = (projector * covariance).trace() / static_cast<double>(p);
      const double b = ((Matrix::Identity(d, d) - projector) * covariance).trace() / static_cast<double>(d - p);
      const Matrix model = a * projector + b * (Matrix::Identity(d, d) - projector);
      const double likelihood = -10 * (std::log(model.determinant()) + (model.inverse() * covariance).trace());
      if (likelihood > highest) {
        highest = likelihood;
        best = p;
      }
    }
    CHECK(dimension(statistics, "ml") == best);
  }
}

TEST_CASE("maximum likelihood leaves some of the variance to the noise, as far as there is any") {
  CHECK(dimension(with_eigenvalues({9, 6, 5}, 50, 4), "ml") == 2);
  CHECK(dimension(with_eigenvalues({9}, 50, 2), "ml") == 1);
  CHECK(dimension(with_eigenvalues({}, 50, 2), "ml") == 0);
  CHECK(dimension(with_eigenvalues({3, 2, 1}, 3, 100), "ml") <= 2);
}

TEST_CASE("dimension rules: texts go both ways") {
  for (const std::string text : {"scree:0.01", "bic", "ml", "variance:0.999", "fixed:10"}) {
    CHECK(to_string(parse_dimension_rule(text)) == text);
  }
}

TEST_CASE("dimension rules: the error states the form or the range") {
  CHECK_THROWS_WITH_AS(
      parse_dimension_rule("elbow:3"),
      "dimension 'elbow:3' is unknown; it must be scree:S, variance:F, fixed:P, bic or ml, as in scree:0.01",
      ConfigError);
  CHECK_THROWS_WITH_AS(parse_dimension_rule("scree:1.5"),
                       "dimension 'scree:1.5': the threshold must lie strictly between 0 and 1", ConfigError);
  CHECK_THROWS_WITH_AS(parse_dimension_rule("variance:abc"), "dimension 'variance:abc': 'abc' is not a number",
                       ConfigError);
  CHECK_THROWS_AS(parse_dimension_rule("fixed:0"), ConfigError);
  CHECK_THROWS_AS(parse_dimension_rule("fixed:2.5"), ConfigError);
  CHECK_THROWS_AS(parse_dimension_rule("scree"), ConfigError);
  CHECK_THROWS_AS(parse_dimension_rule("scree:nan"), ConfigError);
  CHECK_THROWS_AS(parse_dimension_rule("scree:0"), ConfigError);
}

TEST_CASE("the paper's dimensions: Madelon and Arcene") {
  const auto folder = toy::data_folder();
  if (!folder) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  const auto dimensions = [&](const std::string& name, Index bands, double threshold) {
    const Matrix x = toy::read_table(*folder + "/" + name + "/" + name + "_train.data", bands);
    const Matrix y = toy::read_table(*folder + "/" + name + "/" + name + "_train.labels", 1);
    std::vector<Index> found;
    for (const double label : {1.0, -1.0}) {
      Indices rows;
      for (Index i = 0; i < y.rows(); ++i) {
        if (y(i, 0) == label) {
          rows.push_back(i);
        }
      }
      found.push_back(intrinsic_dimension(class_statistics(x(rows, Eigen::all)), {DimensionMethod::scree, threshold}));
    }
    return found;
  };
  using Pair = std::vector<Index>;
  CHECK(dimensions("madelon", 500, 0.2) == Pair{4, 4});
  CHECK(dimensions("arcene", 10000, 0.2) == Pair{2, 2});
  CHECK(dimensions("arcene", 10000, 0.1) == Pair{2, 3});
  CHECK(dimensions("arcene", 10000, 0.05) == Pair{3, 4});
  CHECK(dimensions("arcene", 10000, 0.01) == Pair{8, 7});
  CHECK(dimensions("arcene", 10000, 0.005) == Pair{11, 10});
  CHECK(dimensions("arcene", 10000, 0.001) == Pair{22, 23});
}

namespace {

Matrix uneven_spectra(Index n, std::uint64_t seed) {
  Matrix spectra = Random(seed).normal_matrix(n, 7);
  spectra.col(2) *= 9;
  spectra.col(5) += 4 * spectra.col(1);
  return spectra.array() + 3;
}

}  // namespace

TEST_CASE("subspace model: signal variances are eigenvalues, the noise variance shares out the rest") {
  const Matrix x = Random(4).normal_matrix(80, 10) * Vector::LinSpaced(10, 3, 0.5).asDiagonal();
  const ClassStatistics statistics = class_statistics(x);
  const SubspaceModel model = subspace_model(statistics, {DimensionMethod::fixed, 4});
  CHECK(model.dimension() == 4);
  CHECK(model.variances == statistics.eigenvalues.head(4));
  CHECK(model.noise_variance == doctest::Approx(statistics.eigenvalues.tail(6).mean()));
}

TEST_CASE("subspace model: the explicit inverse is the inverse of the modelled covariance") {
  const Matrix x = Random(6).normal_matrix(12, 20);  // fewer samples than bands
  const SubspaceModel model = subspace_model(class_statistics(x), {DimensionMethod::fixed, 5});
  const Matrix& q = model.directions;
  const Matrix covariance = q * (model.variances.array() - model.noise_variance).matrix().asDiagonal() * q.transpose() +
                            model.noise_variance * Matrix::Identity(20, 20);
  const Matrix inverse =
      q * (model.variances.cwiseInverse().array() - 1 / model.noise_variance).matrix().asDiagonal() * q.transpose() +
      Matrix::Identity(20, 20) / model.noise_variance;
  CHECK((covariance * inverse - Matrix::Identity(20, 20)).norm() < 1e-9);
  CHECK(covariance.trace() == doctest::Approx(class_statistics(x).trace));
}

TEST_CASE("the distance is that of the covariance written out") {
  const ClassGaussian gaussian =
      class_gaussian(class_statistics(uneven_spectra(40, 1)), 39, {{DimensionMethod::fixed, 2}, 1e-9});
  const SubspaceModel& subspace = gaussian.subspace;
  const Matrix q = subspace.directions;
  const Matrix covariance = q * subspace.variances.asDiagonal() * q.transpose() +
                            subspace.noise_variance * (Matrix::Identity(7, 7) - q * q.transpose());
  const Matrix spectra = uneven_spectra(10, 2);
  const Vector distances = squared_mahalanobis(gaussian, spectra);
  for (Index i = 0; i < spectra.rows(); ++i) {
    const Vector centred = spectra.row(i).transpose() - gaussian.mean;
    CHECK(distances(i) == doctest::Approx(centred.dot(covariance.inverse() * centred)).epsilon(1e-10));
  }
}

TEST_CASE("few samples leave some of their variance to the noise, whatever the rule") {
  // Seven samples of seven bands: variance:0.9999 would take all six directions that they have.
  const Matrix spectra = uneven_spectra(7, 5);
  const ClassStatistics statistics = class_statistics(spectra);
  const ClassGaussian gaussian = class_gaussian(statistics, 6, {{DimensionMethod::variance, 0.9999}, 1e-9});
  CHECK(gaussian.subspace.dimension() == 3);
  CHECK(gaussian.subspace.noise_variance == doctest::Approx(statistics.eigenvalues.tail(3).sum() / 4));
  const ClassGaussian pair = class_gaussian(class_statistics(spectra.topRows(2)), 1, {{}, 1e-9});
  CHECK(pair.subspace.dimension() == 0);
  CHECK(pair.subspace.noise_variance == doctest::Approx((spectra.row(0) - spectra.row(1)).squaredNorm() / 28));
}

TEST_CASE("variances of next to nothing are replaced by the least") {
  const Matrix spectra = 1e-9 * uneven_spectra(30, 6);
  const ClassGaussian gaussian = class_gaussian(class_statistics(spectra), 29, {{DimensionMethod::fixed, 2}, 0.25});
  CHECK(gaussian.subspace.variances == Vector::Constant(2, 0.25));
  CHECK(gaussian.subspace.noise_variance == 0.25);
}

TEST_CASE("the mean distance of the samples themselves is the number of bands") {
  const Matrix spectra = uneven_spectra(200, 3);
  const ClassGaussian gaussian = class_gaussian(class_statistics(spectra), 199, {{DimensionMethod::fixed, 3}, 1e-9});
  CHECK(squared_mahalanobis(gaussian, spectra).mean() == doctest::Approx(7));
}

TEST_CASE("a class without noise, or without any variance, gets the least noise") {
  const Matrix plane = uneven_spectra(30, 4).leftCols(2) * Matrix::Identity(2, 7);
  const ClassGaussian flat = class_gaussian(class_statistics(plane), 29, {{DimensionMethod::fixed, 2}, 0.25});
  CHECK(flat.subspace.noise_variance == 0.25);
  Matrix off = plane.topRows(1);
  off(0, 6) += 3;
  CHECK(squared_mahalanobis(flat, off)(0) - squared_mahalanobis(flat, plane.topRows(1))(0) == doctest::Approx(36));

  const ClassGaussian point = class_gaussian(class_statistics(Matrix::Constant(5, 7, 2)), 4, {{}, 0.25});
  CHECK(point.subspace.dimension() == 0);
  CHECK(squared_mahalanobis(point, Matrix::Constant(1, 7, 3))(0) == doctest::Approx(7 / 0.25));
}

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

TEST_CASE("blended models: rounding of a constant class is no variance") {
  // A third of 0.1 times so many samples is not exact, and so is their mean.
  Matrix spectra = Random(2).normal_matrix(40, 5);
  std::vector<int> labels(40, 0);
  for (Index i = 20; i < 40; ++i) {
    spectra.row(i) << 0.1, 0.7 / 3, 1e5 / 3, 0, -0.3;
    labels[static_cast<std::size_t>(i)] = 1;
  }
  const SubspaceModel constant = BlendedModels(spectra, labels, 2).model(1, 1, {});
  CHECK(constant.dimension() == 0);
  CHECK(constant.noise_variance == 0);
  const SubspaceModel of_many = BlendedCovariances(spectra, labels, 2, 1).model(1, 1, {});
  CHECK(of_many.dimension() == 0);
  CHECK(of_many.noise_variance == 0);
  CHECK(class_statistics(spectra.bottomRows(20)).trace == 0);
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
