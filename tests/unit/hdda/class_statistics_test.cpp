#include "parsimap/hdda/class_statistics.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

#include "unit/hdda/covariance.hpp"

using namespace parsimap;

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
