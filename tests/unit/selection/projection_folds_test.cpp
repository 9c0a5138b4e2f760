#include "parsimap/selection/projection_folds.hpp"

#include <doctest/doctest.h>

#include "parsimap/hdda/class_statistics.hpp"

#include "support/toy_problems.hpp"

using namespace parsimap;

namespace {

Indices even(Index first, Index last) {
  Indices rows;
  for (Index i = first; i < last; i += 2) {
    rows.push_back(i);
  }
  return rows;
}

// The class is samples 0 .. 19, the rest 20 .. 59.
const Vector kLabels = (Vector(60) << Vector::Ones(20), -Vector::Ones(40)).finished();

}  // namespace

TEST_CASE("projection folds: every sample is held out once, and the directions have not seen it") {
  const Matrix x = Random(4).normal_matrix(60, 6);
  const std::vector<ProjectionFold> folds = projection_folds(x, kLabels, toy::all_rows(60), 3);
  REQUIRE(folds.size() == 2);
  CHECK(folds[0].held_out == even(0, 60));
  CHECK(folds[1].held_out == even(1, 60));
  for (int fold = 0; fold < 2; ++fold) {
    const Matrix seen = x(even(1 - fold, 20), Eigen::all);
    const Matrix directions = class_statistics(seen).eigenvectors.leftCols(3);
    CHECK((folds[static_cast<std::size_t>(fold)].projections - x * directions).norm() < 1e-12);
  }
}

TEST_CASE("projection folds: of some samples, with directions of all, are those of a subset") {
  const Matrix x = Random(4).normal_matrix(60, 6);
  const Indices rows = {1, 4, 5, 19, 22, 23, 58};
  const auto all = projection_folds(x, kLabels, toy::all_rows(60), 3);
  const auto some = projection_folds(x, kLabels, rows, 3);
  for (std::size_t fold = 0; fold < 2; ++fold) {
    const ProjectionFold part = subset(all[fold], rows);
    CHECK((some[fold].projections - part.projections).norm() < 1e-12);
    CHECK(some[fold].held_out == part.held_out);
  }
  CHECK(some[0].held_out == Indices{1, 4, 6});
}

TEST_CASE(
    "projection folds: directions that half of a small class does not have are zero, and three samples have none") {
  const Matrix x = Random(4).normal_matrix(60, 6);
  Vector labels = -Vector::Ones(60);
  labels.head(6).setOnes();
  const auto folds = projection_folds(x, labels, toy::all_rows(60), 4);
  REQUIRE(folds.size() == 2);
  CHECK(folds[0].projections.leftCols(2).colwise().norm().minCoeff() > 0.1);
  CHECK(folds[0].projections.rightCols(2) == Matrix::Zero(60, 2));
  labels(3) = labels(4) = labels(5) = -1;
  CHECK(projection_folds(x, labels, toy::all_rows(60), 4).empty());
}
