#include "parsimap/hdda/class_statistics.hpp"

#include <Eigen/LU>
#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "unit/hdda/covariance.hpp"

namespace parsimap::test {
namespace {

// Rows with decreasing spread along the axes, away from the origin.
Matrix stretched(Index n, Index d, std::uint64_t seed) {
  Matrix x = Random(seed).normal_matrix(n, d);
  for (Index j = 0; j < d; ++j) {
    x.col(j) *= std::pow(0.7, static_cast<double>(j));
  }
  return x.array() + 3.0;
}

void check_decomposition(const Matrix& x) {
  const ClassStatistics statistics = class_statistics(x);
  const Matrix& q = statistics.eigenvectors;
  const Matrix s = toy::covariance(x);
  CHECK((s * q - q * statistics.eigenvalues.asDiagonal()).norm() < 1e-10 * s.norm());
  CHECK((q.transpose() * q - Matrix::Identity(q.cols(), q.cols())).norm() < 1e-8);
  CHECK(statistics.eigenvalues.sum() == doctest::Approx(s.trace()));
  CHECK(statistics.trace == doctest::Approx(s.trace()));
  for (Index i = 1; i < statistics.eigenvalues.size(); ++i) {
    CHECK(statistics.eigenvalues(i) <= statistics.eigenvalues(i - 1));
  }
}

}  // namespace

TEST_CASE("class statistics: eigenpairs of the covariance with divisor n, more samples than bands") {
  check_decomposition(stretched(60, 12, 1));
}

TEST_CASE("class statistics: the Gram path, fewer samples than bands, has rank n - 1") {
  const Matrix x = stretched(8, 30, 2);
  check_decomposition(x);
  CHECK(class_statistics(x).eigenvalues.size() == 7);
}

TEST_CASE("class statistics: both paths agree where they meet") {
  // 12 samples in 12 bands take the covariance path; one more, constant band makes it the Gram path.
  const Matrix x = stretched(12, 12, 3);
  Matrix wider(12, 13);
  wider << x, Matrix::Constant(12, 1, 5.0);
  const ClassStatistics a = class_statistics(x);
  const ClassStatistics b = class_statistics(wider);
  REQUIRE(a.eigenvalues.size() == b.eigenvalues.size());
  CHECK(a.eigenvalues.isApprox(b.eigenvalues, 1e-9));
  CHECK((a.eigenvectors.leftCols(5) - b.eigenvectors.topLeftCorner(12, 5)).norm() < 1e-6);
}

TEST_CASE("class statistics: one sample has no variance") {
  const ClassStatistics statistics = class_statistics(Matrix::Constant(1, 4, 2.0));
  CHECK(statistics.eigenvalues.size() == 0);
  CHECK(statistics.trace == 0);
  CHECK(statistics.mean == Vector::Constant(4, 2.0));
}

TEST_CASE("statistics of a covariance at hand are those of the samples it was made of, but for the mean") {
  const Matrix spectra = Random(8).normal_matrix(50, 4);
  const ClassStatistics expected = class_statistics(spectra);
  const Matrix centred = spectra.rowwise() - spectra.colwise().mean();
  const ClassStatistics statistics = decomposed_covariance(centred.transpose() * centred / 50.0, 50);
  CHECK(statistics.samples == 50);
  CHECK(statistics.bands == 4);
  CHECK(statistics.mean.isZero());
  CHECK(statistics.trace == doctest::Approx(expected.trace));
  CHECK((statistics.eigenvalues - expected.eigenvalues).norm() < 1e-12);
  CHECK((statistics.eigenvectors - expected.eigenvectors).norm() < 1e-10);
  CHECK(decomposed_covariance(Matrix::Zero(3, 3), 5).eigenvalues.size() == 0);
}

namespace {

struct Samples {
  Matrix spectra;
  std::vector<int> labels;
};

// Classes 0, 1 and 3 of four, of different sizes, places and spreads, on correlated bands.
Samples correlated_samples(Index n, Index d, std::uint64_t seed) {
  Random random(seed);
  const Matrix mixing = random.normal_matrix(d, d);
  Samples samples{random.normal_matrix(n, d) * mixing, {}};
  for (Index i = 0; i < n; ++i) {
    const int c = i % 5 < 2 ? 0 : i % 5 < 4 ? 1 : 3;
    samples.labels.push_back(c);
    samples.spectra.row(i) *= 1 + 0.5 * c;
    samples.spectra.row(i).array() += 10.0 * c;
  }
  return samples;
}

// sum_c n_c/n S_c by the definition.
Matrix pooled_covariance(const Samples& samples, int classes) {
  const Index d = samples.spectra.cols();
  Matrix pooled = Matrix::Zero(d, d);
  for (int c = 0; c < classes; ++c) {
    Indices rows;
    for (std::size_t i = 0; i < samples.labels.size(); ++i) {
      if (samples.labels[i] == c) {
        rows.push_back(static_cast<Index>(i));
      }
    }
    if (rows.empty()) {
      continue;
    }
    const Matrix members = samples.spectra(rows, Eigen::all);
    const Eigen::RowVectorXd mean = members.colwise().mean();
    Matrix covariance = Matrix::Zero(d, d);
    for (Index i = 0; i < members.rows(); ++i) {
      covariance += (members.row(i) - mean).transpose() * (members.row(i) - mean);
    }
    const auto count = static_cast<double>(members.rows());
    pooled += count / static_cast<double>(samples.labels.size()) * (covariance / count);
  }
  return pooled;
}

double squared_distance(const Matrix& coordinates, Index i, Index j) {
  return (coordinates.row(i) - coordinates.row(j)).squaredNorm();
}

}  // namespace

TEST_CASE("pooled covariance: distances are those of its inverse") {
  const Samples samples = correlated_samples(60, 6, 1);
  const Matrix covariance = pooled_covariance(samples, 4);
  const Matrix full = pooled_whitening(samples.spectra, samples.labels, 4, false).apply(samples.spectra);
  const Matrix diagonal = pooled_whitening(samples.spectra, samples.labels, 4, true).apply(samples.spectra);
  for (Index i = 0; i < 60; i += 7) {
    for (Index j = 0; j < i; j += 3) {
      const Vector difference = (samples.spectra.row(i) - samples.spectra.row(j)).transpose();
      CHECK(squared_distance(full, i, j) == doctest::Approx(difference.dot(covariance.inverse() * difference)));
      const double expected = (difference.array().square() / covariance.diagonal().array()).sum();
      CHECK(squared_distance(diagonal, i, j) == doctest::Approx(expected));
    }
  }
}

TEST_CASE("pooled covariance: the full metric does not see a linear map of the bands, the diagonal one no unit") {
  const Samples samples = correlated_samples(40, 5, 2);
  const Matrix map = Random(3).normal_matrix(5, 5);
  const Matrix mapped = samples.spectra * map;
  const Matrix full = pooled_whitening(samples.spectra, samples.labels, 4, false).apply(samples.spectra);
  const Matrix full_mapped = pooled_whitening(mapped, samples.labels, 4, false).apply(mapped);
  const Vector units = (Vector(5) << 1, 1e-6, 0.01, 3, 1e6).finished();
  const Matrix scaled = samples.spectra * units.asDiagonal();
  const Matrix diagonal = pooled_whitening(samples.spectra, samples.labels, 4, true).apply(samples.spectra);
  const Matrix diagonal_scaled = pooled_whitening(scaled, samples.labels, 4, true).apply(scaled);
  for (Index i = 1; i < 40; ++i) {
    CHECK(squared_distance(full_mapped, i, 0) == doctest::Approx(squared_distance(full, i, 0)));
    CHECK(squared_distance(diagonal_scaled, i, 0) == doctest::Approx(squared_distance(diagonal, i, 0)));
  }
}

TEST_CASE("pooled covariance: few samples of many bands") {
  const Samples samples = correlated_samples(12, 30, 4);
  const Whitening whitening = pooled_whitening(samples.spectra, samples.labels, 4, false);
  CHECK(whitening.directions.rows() == 30);
  CHECK(whitening.directions.cols() == 9);  // samples less the classes that have some
  // W' S W = I with S the d x d covariance: W holds the inverse square roots of all its non-zero part.
  const Matrix covariance = pooled_covariance(samples, 4);
  CHECK((whitening.directions.transpose() * covariance * whitening.directions).isApprox(Matrix::Identity(9, 9), 1e-8));
  CHECK((covariance * whitening.directions * whitening.directions.transpose() * covariance).isApprox(covariance, 1e-8));
}

TEST_CASE("pooled covariance: bands without variance within the classes have no weight") {
  const Samples plain = correlated_samples(30, 4, 5);
  Samples wider = plain;
  wider.spectra.conservativeResize(30, 6);
  wider.spectra.col(4).setConstant(0.1);
  for (Index i = 0; i < 30; ++i) {
    wider.spectra(i, 5) = 0.1 * plain.labels[static_cast<std::size_t>(i)];  // tells the classes apart
  }
  for (const bool diagonal : {false, true}) {
    const Matrix a = pooled_whitening(plain.spectra, plain.labels, 4, diagonal).apply(plain.spectra);
    const Matrix b = pooled_whitening(wider.spectra, wider.labels, 4, diagonal).apply(wider.spectra);
    for (Index i = 1; i < 30; ++i) {
      CHECK(squared_distance(b, i, 0) == doctest::Approx(squared_distance(a, i, 0)));
    }
  }
}

TEST_CASE("pooled covariance: samples that all are the mean of their class have no metric") {
  const Matrix spectra = (Matrix(5, 2) << 0.1, 2, 0.1, 2, 0.1, 2, 3, 0.7, 3, 0.7).finished();
  for (const bool diagonal : {false, true}) {
    CHECK_THROWS_WITH_AS(pooled_whitening(spectra, {0, 0, 0, 1, 1}, 2, diagonal),
                         "the pooled covariance is zero: every training sample is the mean of its class", DataError);
  }
}

}  // namespace parsimap::test
