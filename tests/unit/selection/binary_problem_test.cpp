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

TEST_CASE("binary problem: a subset keeps its folds, and a fold has the kernel matrix of its own projections") {
  BinaryProblem problem = ten_samples();
  const Matrix others = Random(6).normal_matrix(10, 2);
  problem.folds = {{others, {0, 2, 4, 6, 8}}, {problem.projections, {1, 3, 5, 7, 9}}};
  const BinaryProblem part = subset(problem, {2, 3, 8});
  CHECK(part.folds[0].held_out == Indices{0, 2});
  CHECK(part.folds[1].held_out == Indices{1});
  CHECK(part.folds[0].projections == others({2, 3, 8}, Eigen::all));
  const TrainingGeometry hdda = fold_geometry(problem, problem.folds[0], KernelFamily::hdda);
  CHECK(hdda.projections() == others);
  CHECK(hdda.has_isotropic());
  CHECK_FALSE(fold_geometry(problem, problem.folds[0], KernelFamily::pca).has_isotropic());
}

TEST_CASE("binary problem: each family uses its own part of the samples") {
  const BinaryProblem problem = ten_samples();
  CHECK(family_geometry(problem, KernelFamily::hdda).directions() == 2);
  CHECK(family_geometry(problem, KernelFamily::hdda).has_isotropic());
  CHECK(family_geometry(problem, KernelFamily::gaussian).directions() == 0);
  CHECK_FALSE(family_geometry(problem, KernelFamily::pca).has_isotropic());
}
