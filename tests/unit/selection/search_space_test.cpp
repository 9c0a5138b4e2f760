#include "selection/search_space.hpp"

#include <doctest/doctest.h>

#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

struct Case {
  toy::TwoClasses toy = toy::two_classes(40, 5, 0.5, 2);
  Matrix directions = toy::orthonormal(5, 2, 4);
  BinaryProblem problem{directions,
                        toy.spectra* directions,
                        std::make_shared<const Matrix>(squared_distances(toy.spectra)),
                        toy.labels,
                        (Vector(2) << 4.0, 0.25).finished(),
                        0.01};

  // Mean squared distance between samples in the kernel's metric.
  [[nodiscard]] double mean_distance(const Hyperparameters& h) const {
    double sum = 0;
    for (Index i = 0; i < 40; ++i) {
      for (Index j = 0; j < 40; ++j) {
        const Eigen::RowVectorXd difference = toy.spectra.row(i) - toy.spectra.row(j);
        sum += h.weights.isotropic * difference.squaredNorm();
        for (Index l = 0; l < h.weights.directional.size(); ++l) {
          sum += h.weights.directional(l) * std::pow(difference.dot(directions.col(l).transpose()), 2);
        }
      }
    }
    return sum / 1600;
  }
};

}  // namespace

TEST_CASE("search space: the scan spans scales of the metric, shapes between Euclidean and Mahalanobis, and C") {
  const Case c;
  const auto groups = SearchSpace(c.problem, KernelFamily::hdda).scan();
  CHECK(groups.size() == 16);
  for (const auto& group : groups) {
    REQUIRE(group.size() == 4);
    CHECK(c.mean_distance(group[0]) == doctest::Approx(0.3));
    CHECK(c.mean_distance(group[3]) == doctest::Approx(300));
    CHECK(group[0].C == group[3].C);
  }
  // The first shape is Euclidean, the third Mahalanobis: weights inverse to the variances.
  CHECK(groups[0][0].weights.directional(0) == doctest::Approx(groups[0][0].weights.isotropic));
  const KernelWeights& mahalanobis = groups[8][0].weights;
  CHECK(mahalanobis.directional(1) / mahalanobis.directional(0) == doctest::Approx(16));
  CHECK(mahalanobis.isotropic / mahalanobis.directional(0) == doctest::Approx(400));
}

TEST_CASE("search space: the Gaussian kernel has one shape, the PCA kernel no isotropic weight") {
  const Case c;
  const auto gaussian = SearchSpace(c.problem, KernelFamily::gaussian).scan();
  CHECK(gaussian.size() == 4);
  CHECK(gaussian[0][0].weights.directional.size() == 0);
  const auto pca = SearchSpace(c.problem, KernelFamily::pca).scan();
  CHECK(pca.size() == 16);
  CHECK(pca[0][0].weights.isotropic == 0);
}

TEST_CASE("search space: starts near a limit begin with the limit itself") {
  const Case c;
  const SearchSpace space(c.problem, KernelFamily::hdda);
  const auto from_gaussian = space.near_limit({{Vector(0), 0.7}, 12});
  CHECK(from_gaussian.back().weights.directional == Vector::Constant(2, 0.7));
  CHECK(from_gaussian.front().weights.directional.maxCoeff() < 1e-13);
  CHECK(from_gaussian.front().weights.isotropic == 0.7);
  const auto from_pca = space.near_limit({{Vector::Constant(2, 0.5), 0.0}, 12});
  CHECK(from_pca.front().weights.isotropic > 0);
  CHECK(from_pca.front().weights.isotropic < 1e-13);
  CHECK(from_pca.front().C == 12);
}

TEST_CASE("search space: every start lies in the box") {
  const Case c;
  for (const KernelFamily family : {KernelFamily::hdda, KernelFamily::pca, KernelFamily::gaussian}) {
    const SearchSpace space(c.problem, family);
    const bool isotropic = family != KernelFamily::pca;
    for (const auto& group : space.scan()) {
      for (const Hyperparameters& start : group) {
        const Vector theta = to_theta(start, isotropic);
        CHECK((theta.array() >= space.lower().array()).all());
        CHECK((theta.array() <= space.upper().array()).all());
      }
    }
  }
}
