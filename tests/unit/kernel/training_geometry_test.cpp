
#include "parsimap/kernel/training_geometry.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"
#include "parsimap/kernel/kernel.hpp"

#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

struct GeometryCase {
  Matrix spectra = Random(1).normal_matrix(150, 8).array() + 20.0;  // more than one panel
  Matrix directions = toy::orthonormal(8, 3, 2);
  std::shared_ptr<const Matrix> distances = std::make_shared<const Matrix>(squared_distances(spectra));
  KernelWeights weights{(Vector(3) << 0.4, 1.1, 0.05).finished(), 0.2};

  [[nodiscard]] TrainingGeometry geometry() const { return {spectra * directions, distances}; }
};

}  // namespace

TEST_CASE("squared distances: the double loop") {
  const GeometryCase c;
  for (Index i = 0; i < 150; i += 7) {
    for (Index j = 0; j < 150; j += 5) {
      CHECK((*c.distances)(i, j) == doctest::Approx((c.spectra.row(i) - c.spectra.row(j)).squaredNorm()));
    }
  }
  CHECK(*c.distances == c.distances->transpose());
}

TEST_CASE("training geometry: its kernel matrix is that of the kernel") {
  const GeometryCase c;
  const Matrix gram = c.geometry().gram(c.weights);
  const MahalanobisKernel kernel(
      {c.directions, c.weights.directional.array() + c.weights.isotropic, c.weights.isotropic});
  CHECK((gram - kernel.block(c.spectra, c.spectra)).cwiseAbs().maxCoeff() < 1e-11);
  CHECK(gram == gram.transpose());
  CHECK(gram.diagonal() == Vector::Ones(150));
}

TEST_CASE("training geometry: the families without one of the terms") {
  const GeometryCase c;
  const TrainingGeometry gaussian(Matrix(150, 0), c.distances);
  CHECK((gaussian.gram({Vector(0), 0.2}) - toy::gaussian_kernel(c.spectra, 0.2)).norm() < 1e-9);
  const TrainingGeometry pca(c.spectra * c.directions, nullptr);
  const MahalanobisKernel kernel({c.directions, c.weights.directional, 0.0});
  CHECK((pca.gram({c.weights.directional, 0.0}) - kernel.block(c.spectra, c.spectra)).norm() < 1e-9);
}

TEST_CASE("training geometry: derivatives of a weighted sum of kernel values against central differences") {
  const GeometryCase c;
  const TrainingGeometry geometry = c.geometry();
  const Indices rows = {0, 3, 4, 80, 149, 17};
  const Indices columns = {2, 3, 100, 140};
  const Matrix weights = Random(9).normal_matrix(6, 4);
  const auto sum = [&](const KernelWeights& w) { return weights.cwiseProduct(geometry.gram(w)(rows, columns)).sum(); };
  const Vector found =
      geometry.derivatives(c.weights, rows, columns, weights.cwiseProduct(geometry.gram(c.weights)(rows, columns)));
  REQUIRE(found.size() == 4);
  const double step = 1e-5;
  for (Index l = 0; l < 4; ++l) {
    KernelWeights up = c.weights;
    KernelWeights down = c.weights;
    double& u = l < 3 ? up.directional(l) : up.isotropic;
    double& d = l < 3 ? down.directional(l) : down.isotropic;
    u *= std::exp(step);
    d *= std::exp(-step);
    CHECK(found(l) == doctest::Approx((sum(up) - sum(down)) / (2 * step)).epsilon(1e-6));
  }
}

TEST_CASE("training geometry: the same bits for any number of threads") {
  const Matrix spectra = Random(5).normal_matrix(1000, 6);
  const Matrix directions = toy::orthonormal(6, 2, 3);
  const KernelWeights weights{(Vector(2) << 0.4, 0.1).finished(), 0.02};
  const Indices rows = toy::all_rows(900);
  const Matrix weighted = Random(6).normal_matrix(900, 900);
  const auto distances = std::make_shared<const Matrix>(squared_distances(spectra));
  const TrainingGeometry one(spectra * directions, distances);
  for (const int threads : {2, 3, 7}) {
    CHECK(squared_distances(spectra, threads) == *distances);
    const TrainingGeometry many(spectra * directions, distances, threads);
    CHECK(many.gram(weights) == one.gram(weights));
    CHECK(many.derivatives(weights, rows, rows, weighted) == one.derivatives(weights, rows, rows, weighted));
  }
}
