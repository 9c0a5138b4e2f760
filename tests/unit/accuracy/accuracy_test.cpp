#include "parsimap/accuracy/accuracy.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

CountMatrix counts(Index classes, std::initializer_list<std::int64_t> rows) {
  CountMatrix matrix(classes, classes);
  auto value = rows.begin();
  for (Index r = 0; r < classes; ++r) {
    for (Index c = 0; c < classes; ++c) {
      matrix(r, c) = *value++;
    }
  }
  return matrix;
}

std::vector<std::string> letters(Index count) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) {
    names.emplace_back(1, static_cast<char>('a' + i));
  }
  return names;
}

}  // namespace

TEST_CASE("Congalton's worked example of four cover types") {
  // Congalton (1991), table 1: rows are map there, so it is transposed here. Overall 321/434 = 74 %; producer's
  // 65/75, 81/103, 85/115, 90/141; user's 65/115, 81/100, 85/115, 90/104. Kappa-hat 0.65.
  const CountMatrix published = counts(4, {65, 4, 22, 24, 6, 81, 5, 8, 0, 11, 85, 19, 4, 7, 3, 90});
  const ConfusionMatrix matrix({"deciduous", "conifer", "agriculture", "shrub"}, published.transpose());
  CHECK(matrix.pixels() == 434);
  CHECK(*matrix.overall_accuracy() == doctest::Approx(321.0 / 434.0));
  CHECK(*matrix.class_accuracy(0).producers_accuracy == doctest::Approx(65.0 / 75.0));
  CHECK(*matrix.class_accuracy(1).producers_accuracy == doctest::Approx(81.0 / 103.0));
  CHECK(*matrix.class_accuracy(2).producers_accuracy == doctest::Approx(85.0 / 115.0));
  CHECK(*matrix.class_accuracy(3).producers_accuracy == doctest::Approx(90.0 / 141.0));
  CHECK(*matrix.class_accuracy(0).users_accuracy == doctest::Approx(65.0 / 115.0));
  CHECK(*matrix.class_accuracy(1).users_accuracy == doctest::Approx(81.0 / 100.0));
  CHECK(*matrix.class_accuracy(2).users_accuracy == doctest::Approx(85.0 / 115.0));
  CHECK(*matrix.class_accuracy(3).users_accuracy == doctest::Approx(90.0 / 104.0));
  CHECK(*matrix.kappa() == doctest::Approx(0.65).epsilon(0.005));
  CHECK(*matrix.average_accuracy() == doctest::Approx((65.0 / 75 + 81.0 / 103 + 85.0 / 115 + 90.0 / 141) / 4));
}

TEST_CASE("Cohen's kappa of a two-class table worked by hand") {
  // p_o = 35/50, p_e = 0.5 * 0.6 + 0.5 * 0.4 = 0.5, kappa = 0.4; F1 = 2 * 20 / (25 + 30).
  const ConfusionMatrix matrix({"yes", "no"}, counts(2, {20, 5, 10, 15}));
  CHECK(*matrix.kappa() == doctest::Approx(0.4));
  CHECK(*matrix.class_accuracy(0).f1 == doctest::Approx(40.0 / 55.0));
  CHECK(matrix.class_accuracy(0).reference_pixels == 25);
  CHECK(matrix.class_accuracy(0).map_pixels == 30);
}

TEST_CASE("a perfect map has ones everywhere") {
  const ConfusionMatrix matrix({"a", "b"}, counts(2, {7, 0, 0, 3}));
  CHECK(*matrix.overall_accuracy() == 1);
  CHECK(*matrix.average_accuracy() == 1);
  CHECK(*matrix.kappa() == doctest::Approx(1));
  CHECK(*matrix.class_accuracy(1).f1 == 1);
}

TEST_CASE("a map independent of the reference has kappa 0") {
  CountMatrix outer(3, 3);
  const std::vector<std::int64_t> reference = {5, 11, 84};
  const std::vector<std::int64_t> map = {30, 2, 68};
  for (Index r = 0; r < 3; ++r) {
    for (Index c = 0; c < 3; ++c) {
      outer(r, c) = reference[r] * map[c];
    }
  }
  CHECK(std::abs(*ConfusionMatrix(letters(3), outer).kappa()) < 1e-14);
}

TEST_CASE("what is 0/0 has no value") {
  const ConfusionMatrix empty(letters(2));
  CHECK_FALSE(empty.overall_accuracy());
  CHECK_FALSE(empty.average_accuracy());
  CHECK_FALSE(empty.kappa());
  CHECK_FALSE(empty.class_accuracy(0).f1);

  // One class alone: right by chance whatever the map does, so kappa says nothing.
  const ConfusionMatrix single(letters(2), counts(2, {9, 0, 0, 0}));
  CHECK(*single.overall_accuracy() == 1);
  CHECK_FALSE(single.kappa());
  CHECK(*single.average_accuracy() == 1);
  CHECK_FALSE(single.class_accuracy(1).producers_accuracy);
  CHECK_FALSE(single.class_accuracy(1).users_accuracy);

  // A class only the map has: no producer's accuracy, but F1 and user's accuracy are 0.
  const ConfusionMatrix extra(letters(2), counts(2, {3, 1, 0, 0}));
  CHECK_FALSE(extra.class_accuracy(1).producers_accuracy);
  CHECK(*extra.class_accuracy(1).users_accuracy == 0);
  CHECK(*extra.class_accuracy(1).f1 == 0);
  CHECK(*extra.average_accuracy() == doctest::Approx(0.75));
  CHECK(*extra.kappa() == doctest::Approx(0));
}

TEST_CASE("counts as large as any map give the same measures") {
  const CountMatrix small = counts(2, {20, 5, 10, 15});
  const ConfusionMatrix large(letters(2), small * std::int64_t{100'000'000'000});
  CHECK(*large.kappa() == doctest::Approx(0.4));
  CHECK(*large.overall_accuracy() == doctest::Approx(0.7));
}

TEST_CASE("measures agree with a pass over single pixels and do not depend on the order of the classes") {
  Random random(3);
  const Index classes = 5;
  ConfusionMatrix matrix(letters(classes));
  ConfusionMatrix reversed(letters(classes));
  std::vector<std::pair<Index, Index>> pixels;
  for (int i = 0; i < 400; ++i) {
    const Index reference = random.index(classes);
    const Index map = random.uniform() < 0.7 ? reference : random.index(classes);
    pixels.emplace_back(reference, map);
    matrix.add(reference, map);
    reversed.add(classes - 1 - reference, classes - 1 - map);
  }
  std::int64_t right = 0, chance = 0;
  for (const auto& first : pixels) {
    right += first.first == first.second;
    for (const auto& second : pixels) {
      chance += first.first == second.second;
    }
  }
  const double observed = static_cast<double>(right) / 400;
  const double expected = static_cast<double>(chance) / (400.0 * 400.0);
  CHECK(*matrix.overall_accuracy() == doctest::Approx(observed));
  CHECK(*matrix.kappa() == doctest::Approx((observed - expected) / (1 - expected)));
  CHECK(*reversed.kappa() == doctest::Approx(*matrix.kappa()));
  CHECK(*reversed.average_accuracy() == doctest::Approx(*matrix.average_accuracy()));
  const ClassAccuracy a = matrix.class_accuracy(0);
  CHECK(*a.f1 == doctest::Approx(2 / (1 / *a.producers_accuracy + 1 / *a.users_accuracy)));
}

TEST_CASE("add() counts several pixels at once") {
  ConfusionMatrix matrix(letters(2));
  matrix.add(0, 1, 40);
  matrix.add(0, 1);
  CHECK(matrix.counts()(0, 1) == 41);
  CHECK(matrix.pixels() == 41);
}

TEST_CASE("counts of another shape or below zero are refused") {
  CHECK_THROWS_WITH_AS(ConfusionMatrix(letters(3), counts(2, {1, 0, 0, 1})),
                       "a confusion matrix of 3 classes cannot have 2 rows and 2 columns", DataError);
  CHECK_THROWS_WITH_AS(ConfusionMatrix(letters(2), counts(2, {1, -4, 0, 1})),
                       "a confusion matrix cannot hold the negative count -4", DataError);
}

TEST_CASE("quantity and allocation of tables worked by hand") {
  // Sums of the reference 25, 25; of the map 30, 20. Off the diagonal 15 of 50.
  Matrix table(2, 2);
  table << 20, 5, 10, 15;
  const auto mixed = disagreement(table);
  CHECK(mixed->quantity == doctest::Approx(5.0 / 50));
  CHECK(mixed->allocation == doctest::Approx(10.0 / 50));
  // Right amounts in the wrong places, and wrong amounts alone.
  table << 10, 10, 10, 20;
  CHECK(disagreement(table)->quantity == 0);
  CHECK(disagreement(table)->allocation == doctest::Approx(0.4));
  table << 10, 0, 10, 20;
  CHECK(disagreement(table)->quantity == doctest::Approx(0.25));
  CHECK(disagreement(table)->allocation == 0);
}

TEST_CASE("the two add up to the errors, whatever the unit of the weights") {
  Matrix table(4, 4);
  table << 65, 6, 0, 4, 4, 81, 11, 7, 22, 5, 85, 3, 24, 8, 19, 90;
  const auto counts = disagreement(table);
  CHECK(counts->quantity + counts->allocation == doctest::Approx(1 - 321.0 / 434));
  const auto shares = disagreement(table / 434);
  CHECK(shares->quantity == doctest::Approx(counts->quantity));
  const auto turned = disagreement(table.transpose());
  CHECK(turned->allocation == doctest::Approx(counts->allocation));
  CHECK_FALSE(disagreement(Matrix::Zero(2, 2)));
}

TEST_CASE("pixels are gathered by their largest probability") {
  Reliability reliability;
  CHECK(!reliability.expected_calibration_error());
  reliability.add(0.51, true);
  reliability.add(0.54, false);
  reliability.add(0.96, true);
  reliability.add(1, true);
  const std::vector<ReliabilityBin> bins = reliability.bins();
  REQUIRE(bins.size() == 20);
  CHECK(bins[10].low == 0.5);
  CHECK(bins[10].high == 0.55);
  CHECK(bins[10].pixels == 2);
  CHECK(bins[10].confidence == doctest::Approx(0.525));
  CHECK(bins[10].accuracy == 0.5);
  CHECK(bins[19].pixels == 2);
  CHECK(bins[19].confidence == doctest::Approx(0.98));
  CHECK(bins[19].accuracy == 1);
  CHECK(bins[0].pixels == 0);
  CHECK(*reliability.expected_calibration_error() == doctest::Approx((2 * 0.025 + 2 * 0.02) / 4));
}

}  // namespace parsimap::test
