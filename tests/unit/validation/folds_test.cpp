#include "parsimap/validation/folds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap::test {

namespace {

struct Problem {
  std::vector<int> labels;
  std::vector<SampleUnit> groups;
  Matrix positions;
};

// `per_class[c]` groups of class c of 1 to 40 samples each, at random places, in random order.
Problem random_problem(const std::vector<Index>& per_class, std::uint64_t seed) {
  Random random(seed);
  Problem ordered;
  std::int64_t group = -3;
  for (std::size_t c = 0; c < per_class.size(); ++c) {
    for (Index g = 0; g < per_class[c]; ++g) {
      group += 1 + random.index(5);
      const Index size = 1 + random.index(40);
      for (Index i = 0; i < size; ++i) {
        ordered.labels.push_back(static_cast<int>(c));
        ordered.groups.push_back({group});
      }
    }
  }
  const auto n = static_cast<Index>(ordered.labels.size());
  Problem problem;
  for (const Index i : random.permutation(n)) {
    problem.labels.push_back(ordered.labels[static_cast<std::size_t>(i)]);
    problem.groups.push_back(ordered.groups[static_cast<std::size_t>(i)]);
  }
  problem.positions = 100 * random.normal_matrix(n, 2);
  return problem;
}

FoldPlan plan_of(const Problem& problem, std::size_t classes, const FoldDesign& design) {
  return plan_folds(problem.labels, classes, problem.groups, problem.positions, design);
}

// The slow way: every pair.
Indices naive_outside(const Matrix& positions, const Indices& candidates, const Indices& tested, double distance) {
  Indices kept;
  for (const Index i : candidates) {
    bool near = false;
    for (const Index j : tested) {
      near = near || std::hypot(positions(i, 0) - positions(j, 0), positions(i, 1) - positions(j, 1)) < distance;
    }
    if (!near) {
      kept.push_back(i);
    }
  }
  return kept;
}

std::string refusal_of_folds(const Problem& problem, std::size_t classes, const FoldDesign& design) {
  try {
    plan_of(problem, classes, design);
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("groups stay whole, and every sample is tested once in every repeat") {
  const Problem problem = random_problem({12, 9, 20}, 1);
  const FoldPlan plan = plan_of(problem, 3, {.folds = 5, .repeats = 3, .buffer = 0, .seed = 4});
  REQUIRE(plan.folds.size() == 15);
  CHECK(plan.groups == 41);
  CHECK(plan.class_groups == std::vector<Index>{12, 9, 20});
  std::map<Index, std::multiset<Index>> tested;
  for (const Fold& fold : plan.folds) {
    CHECK(fold.train.size() + fold.test.size() == problem.labels.size());
    CHECK(std::is_sorted(fold.train.begin(), fold.train.end()));
    CHECK(std::is_sorted(fold.test.begin(), fold.test.end()));
    std::set<SampleUnit> trained;
    for (const Index i : fold.train) {
      trained.insert(problem.groups[static_cast<std::size_t>(i)]);
    }
    for (const Index i : fold.test) {
      CHECK_FALSE(trained.contains(problem.groups[static_cast<std::size_t>(i)]));
      tested[fold.repeat].insert(i);
    }
  }
  for (const auto& [repeat, rows] : tested) {
    CHECK(rows.size() == problem.labels.size());
    CHECK(std::set<Index>(rows.begin(), rows.end()).size() == rows.size());
  }
}

TEST_CASE("every class is spread over the folds as evenly as its groups allow") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem = random_problem({30, 5, 3}, seed);
    const std::vector<Index> folds = assign_folds(problem.labels, 3, problem.groups, 5, seed, 0);
    Matrix load = Matrix::Zero(5, 3);
    for (std::size_t i = 0; i < folds.size(); ++i) {
      load(folds[i], problem.labels[i]) += 1;
    }
    CHECK((load.col(0).array() > 0).all());
    CHECK((load.col(1).array() > 0).all());                        // five groups, five folds
    CHECK((load.col(2).array() > 0).count() == 3);                 // three groups, three folds
    CHECK(load.col(0).maxCoeff() - load.col(0).minCoeff() <= 41);  // one group and one sample
  }
}

TEST_CASE("groups of one sample make stratified folds") {
  std::vector<int> labels;
  std::vector<SampleUnit> groups;
  for (int i = 0; i < 103; ++i) {
    labels.push_back(i % 10 == 0 ? 1 : 0);
    groups.push_back({i});
  }
  const std::vector<Index> folds = assign_folds(labels, 2, groups, 5, 0, 0);
  Matrix load = Matrix::Zero(5, 2);
  for (std::size_t i = 0; i < folds.size(); ++i) {
    load(folds[i], labels[i]) += 1;
  }
  CHECK(load.col(0).maxCoeff() - load.col(0).minCoeff() <= 1);
  CHECK(load.col(1).maxCoeff() - load.col(1).minCoeff() <= 1);
}

TEST_CASE("folds depend on seed and repeat, not on how groups are numbered") {
  const Problem problem = random_problem({12, 9}, 2);
  const auto folds = [&](std::uint64_t seed, std::uint64_t repeat) {
    return assign_folds(problem.labels, 2, problem.groups, 4, seed, repeat);
  };
  CHECK(folds(1, 0) == folds(1, 0));
  CHECK(folds(1, 0) != folds(2, 0));
  CHECK(folds(1, 0) != folds(1, 1));
  std::vector<SampleUnit> renumbered = problem.groups;
  for (SampleUnit& group : renumbered) {
    group.number = 1000 * group.number + 7;
  }
  CHECK(assign_folds(problem.labels, 2, renumbered, 4, 1, 0) == folds(1, 0));
}

TEST_CASE("the buffer leaves out what a comparison of all pairs leaves out") {
  Random random(3);
  for (const double distance : {0.5, 3.0, 25.0, 1000.0}) {
    const Matrix positions = (10 * random.normal_matrix(300, 2)).array().round() / 2;  // many at the same distance
    Indices candidates;
    Indices tested;
    for (Index i = 0; i < 300; ++i) {
      (i % 7 == 0 ? tested : candidates).push_back(i);
    }
    CHECK(outside_buffer(positions, candidates, tested, distance) ==
          naive_outside(positions, candidates, tested, distance));
  }
  const Matrix line = Vector::LinSpaced(5, 0, 4) * Eigen::RowVector2d(1, 0);
  CHECK(outside_buffer(line, {1, 2, 3, 4}, {0}, 2) == Indices{2, 3, 4});  // at the distance is far enough
  CHECK(outside_buffer(line, {1, 2, 3, 4}, {0}, 0) == Indices{1, 2, 3, 4});
}

TEST_CASE("a plan with a buffer counts what it leaves out") {
  const Problem problem = random_problem({12, 9}, 6);
  const FoldPlan plan = plan_of(problem, 2, {.folds = 3, .repeats = 1, .buffer = 12, .seed = 0});
  for (const Fold& fold : plan.folds) {
    CHECK(fold.buffered > 0);
    CHECK(fold.train.size() + fold.test.size() + static_cast<std::size_t>(fold.buffered) == problem.labels.size());
    CHECK(naive_outside(problem.positions, fold.train, fold.test, 12) == fold.train);
  }
}

TEST_CASE("a class that a fold cannot train is neither trained nor tested there") {
  // Class 2 has one group, class 3 two, one of them of a single sample, which is enough to train.
  Problem problem = random_problem({10, 10, 1}, 8);
  for (const std::int64_t group : {900, 901, 901, 901}) {
    problem.labels.push_back(3);
    problem.groups.push_back({group});
  }
  const FoldPlan plan =
      plan_folds(problem.labels, 4, problem.groups, {}, {.folds = 4, .repeats = 1, .buffer = 0, .seed = 1});
  REQUIRE(plan.folds.size() == 4);
  Index untested = 0;
  for (const Fold& fold : plan.folds) {
    untested += fold.untested;
    for (const int c : fold.untrained) {
      CHECK(c == 2);
      for (const Indices& rows : {fold.train, fold.test}) {
        CHECK(std::none_of(rows.begin(), rows.end(),
                           [&](Index i) { return problem.labels[static_cast<std::size_t>(i)] == c; }));
      }
    }
  }
  CHECK(untested == std::count(problem.labels.begin(), problem.labels.end(), 2));
}

TEST_CASE("what cannot be validated is refused") {
  const Problem few = random_problem({2, 1}, 1);
  CHECK(refusal_of_folds(few, 2, {}) == "the training pixels form 3 groups, which cannot make 5 folds");
  const Problem single = random_problem({1, 1, 1, 1, 1, 1}, 1);
  CHECK(refusal_of_folds(single, 6, {.folds = 6}) ==
        "no fold can train two classes and test one of them: every class needs pixels in two groups");
  const Problem near = random_problem({6, 6}, 1);
  CHECK(refusal_of_folds(near, 2, {.folds = 3, .repeats = 1, .buffer = 1e6, .seed = 0}) ==
        "no fold can train two classes and test one of them: every class needs pixels in two groups farther apart than "
        "the buffer");
}

TEST_CASE("folds of single samples share out every class evenly") {
  std::vector<int> labels;
  for (int i = 0; i < 103; ++i) {
    labels.push_back(i % 7 == 0 ? 2 : i % 3 == 0 ? 0 : 3);
  }
  const auto units = mapped<SampleUnit>(consecutive(103), [](Index i) { return SampleUnit{i}; });
  const std::vector<Index> folds = assign_folds(labels, 4, units, 5, 11, 0);
  REQUIRE(folds.size() == labels.size());
  for (int c = -1; c < 4; ++c) {
    std::vector<Index> counts(5, 0);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      counts[static_cast<std::size_t>(folds[i])] += c < 0 || labels[i] == c ? 1 : 0;
    }
    CAPTURE(c);
    CHECK(*std::max_element(counts.begin(), counts.end()) - *std::min_element(counts.begin(), counts.end()) <= 1);
  }
  CHECK(assign_folds(labels, 4, units, 5, 11, 0) == folds);
  CHECK(assign_folds(labels, 4, units, 5, 12, 0) != folds);
}

TEST_CASE("held out and others are all positions, once") {
  const std::vector<Index> fold_of = {0, 1, 0, 2};
  CHECK(fold_of_rows({rows_of_fold(fold_of, 0), rows_of_fold(fold_of, 1), rows_of_fold(fold_of, 2)}, 4) == fold_of);
  const FoldRows rows = rows_of_fold({0, 1, 0, 2}, 0);
  CHECK(rows.test == Indices{0, 2});
  CHECK(rows.train == Indices{1, 3});
}

}  // namespace parsimap::test
