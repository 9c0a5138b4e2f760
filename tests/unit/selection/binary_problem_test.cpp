#include "parsimap/selection/binary_problem.hpp"

#include <doctest/doctest.h>

#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

BinaryProblem ten_samples() {
  const toy::TwoClasses toy = toy::two_classes(10, 4, 1.0, 3);
  const Matrix directions = toy::orthonormal(4, 2, 1);
  return {directions, toy.spectra * directions, std::make_shared<const Matrix>(squared_distances(toy.spectra)),
          toy.labels, Vector::Ones(2),          0.5};
}

}  // namespace

TEST_CASE("binary problem: a subset has the kernel matrix of its samples") {
  const BinaryProblem problem = ten_samples();
  const Indices rows = {7, 0, 3};
  const BinaryProblem part = subset(problem, rows);
  const KernelWeights weights{Vector::Constant(2, 0.4), 0.3};
  const Matrix all = family_geometry(problem, KernelFamily::hdda).gram(weights);
  CHECK((family_geometry(part, KernelFamily::hdda).gram(weights) - all(rows, rows)).norm() < 1e-12);
  CHECK(part.labels == problem.labels(rows));
  CHECK(part.noise_variance == 0.5);
}

TEST_CASE("binary problem: each family uses its own part of the samples") {
  const BinaryProblem problem = ten_samples();
  CHECK(family_geometry(problem, KernelFamily::hdda).directions() == 2);
  CHECK(family_geometry(problem, KernelFamily::hdda).has_isotropic());
  CHECK(family_geometry(problem, KernelFamily::gaussian).directions() == 0);
  CHECK_FALSE(family_geometry(problem, KernelFamily::pca).has_isotropic());
}
