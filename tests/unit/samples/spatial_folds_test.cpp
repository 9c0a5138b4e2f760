#include <doctest/doctest.h>

#include <map>
#include <numeric>
#include <set>

#include "parsimap/core/random.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap::test {
namespace {

struct Field {
  std::vector<int> labels;
  std::vector<std::int64_t> groups;
  Matrix positions;
};

// Two classes side by side, each 20 x 20 pixels, every pixel a group of its own.
Field two_fields() {
  Field field;
  field.positions.resize(800, 2);
  for (Index i = 0; i < 800; ++i) {
    const Index column = i % 40;
    field.labels.push_back(column < 20 ? 0 : 1);
    field.groups.push_back(i);
    field.positions.row(i) << static_cast<double>(column), static_cast<double>(i / 40);
  }
  return field;
}

double nearest(const Matrix& positions, const Indices& a, const Indices& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const Index i : a) {
    for (const Index j : b) {
      least = std::min(least, (positions.row(i) - positions.row(j)).norm());
    }
  }
  return least;
}

}  // namespace

TEST_CASE("a class is cut into five parts of equal size that are compact") {
  const Field field = two_fields();
  const std::vector<Index> parts = spatial_parts(field.labels, 2, field.groups, field.positions);
  for (int c = 0; c < 2; ++c) {
    for (Index part = 0; part < kSpatialFolds; ++part) {
      Indices rows;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i] == part && field.labels[i] == c) {
          rows.push_back(static_cast<Index>(i));
        }
      }
      CHECK(rows.size() == doctest::Approx(80).epsilon(0.1));
      const Matrix places = field.positions(rows, Eigen::all);
      const Eigen::RowVectorXd sides = (places.colwise().maxCoeff() - places.colwise().minCoeff()).array() + 1;
      // Half of what lies around it may be of the last, incomplete column.
      CHECK(sides.prod() <= 120);
      CHECK(sides.maxCoeff() <= 14);
    }
  }
}

TEST_CASE("groups stay together, with the class of most of their samples") {
  Field field = two_fields();
  for (std::size_t i = 0; i < field.groups.size(); ++i) {
    const auto row = static_cast<Index>(i);
    field.groups[i] = static_cast<std::int64_t>(field.positions(row, 0)) / 5 * 10 +
                      static_cast<std::int64_t>(field.positions(row, 1)) / 5;
  }
  field.labels[0] = 1;
  const std::vector<Index> parts = spatial_parts(field.labels, 2, field.groups, field.positions);
  std::map<std::int64_t, std::set<Index>> of_group;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    of_group[field.groups[i]].insert(parts[i]);
  }
  for (const auto& [group, seen] : of_group) {
    CHECK(seen.size() == 1);
  }
}

TEST_CASE("a class in fewer than five groups is cut through them") {
  Field field = two_fields();
  for (std::size_t i = 0; i < field.groups.size(); ++i) {
    field.groups[i] = field.labels[i];
  }
  const std::vector<Index> parts = spatial_parts(field.labels, 2, field.groups, field.positions);
  CHECK(std::set<Index>(parts.begin(), parts.end()).size() == 5);
}

TEST_CASE("what is trained on lies at least the buffer away from what is tested") {
  const Field field = two_fields();
  const auto plan = plan_spatial_folds(field.labels, 2, field.groups, field.positions, {3});
  REQUIRE(plan);
  CHECK(plan->buffer == 3);
  CHECK(plan->tested == 800);
  CHECK(plan->folds.size() == 5);
  for (const FoldRows& fold : plan->folds) {
    CHECK(nearest(field.positions, fold.train, fold.test) >= 3);
    CHECK(nearest(field.positions, fold.train, fold.test) < 4);
  }
  CHECK(std::set<std::int64_t>(plan->units.begin(), plan->units.end()).size() == 10);
}

TEST_CASE("the largest buffer is taken that leaves enough to train on, or there are no folds") {
  const Field field = two_fields();
  const auto plan = plan_spatial_folds(field.labels, 2, field.groups, field.positions, {32, 16, 4});
  REQUIRE(plan);
  CHECK(plan->buffer == 4);
  CHECK_FALSE(plan_spatial_folds(field.labels, 2, field.groups, field.positions, {32, 24}));
}

TEST_CASE("the order of the samples does not matter") {
  const Field field = two_fields();
  const std::vector<Index> parts = spatial_parts(field.labels, 2, field.groups, field.positions);
  const Indices order = Random(1).permutation(800);
  Field mixed;
  mixed.positions = field.positions(order, Eigen::all);
  for (const Index i : order) {
    mixed.labels.push_back(field.labels[static_cast<std::size_t>(i)]);
    mixed.groups.push_back(field.groups[static_cast<std::size_t>(i)]);
  }
  const std::vector<Index> again = spatial_parts(mixed.labels, 2, mixed.groups, mixed.positions);
  for (std::size_t i = 0; i < order.size(); ++i) {
    CHECK(again[i] == parts[static_cast<std::size_t>(order[i])]);
  }
}

}  // namespace parsimap::test
