#include "parsimap/accuracy/accuracy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "unit/accuracy/memory_map.hpp"
#include "unit/core/temporary_folder.hpp"

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

namespace {

// Student's 97.5 % quantiles over the normal one, with the root of G / (G - 1), for G = 20, 30 and 400.
const double kStretch20 = 2.0930 / 1.9600 * std::sqrt(20.0 / 19);
const double kStretch30 = 2.0452 / 1.9600 * std::sqrt(30.0 / 29);
const double kStretch400 = 1.9659 / 1.9600 * std::sqrt(400.0 / 399);

// Drawing every region by its index: the definition, but for the stretching.
Interval naive_bootstrap(const std::vector<RegionDifference>& regions, int replicates, double stretch) {
  Random random(99);
  std::vector<double> differences;
  for (int r = 0; r < replicates; ++r) {
    double pixels = 0;
    double difference = 0;
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const auto& drawn = regions[static_cast<std::size_t>(random.index(static_cast<Index>(regions.size())))];
      pixels += static_cast<double>(drawn.pixels);
      difference += static_cast<double>(drawn.difference);
    }
    differences.push_back(difference / pixels);
  }
  std::sort(differences.begin(), differences.end());
  const auto tail = static_cast<std::size_t>(0.025 * replicates);
  double pixels = 0;
  double difference = 0;
  for (const RegionDifference& region : regions) {
    pixels += static_cast<double>(region.pixels);
    difference += static_cast<double>(region.difference);
  }
  const double estimate = difference / pixels;
  return {estimate + stretch * (differences[tail] - estimate),
          estimate + stretch * (differences[differences.size() - 1 - tail] - estimate)};
}

std::vector<RegionDifference> pixels(int better, int worse, int same) {
  std::vector<RegionDifference> all(static_cast<std::size_t>(better), {1, 1});
  all.insert(all.end(), static_cast<std::size_t>(worse), {1, -1});
  all.insert(all.end(), static_cast<std::size_t>(same), {1, 0});
  return all;
}

// Like polygons of a reference: sizes differ, and each has a share of its own of pixels that the maps tell apart.
std::vector<RegionDifference> random_regions(int count, Random& random) {
  std::vector<RegionDifference> regions;
  for (int i = 0; i < count; ++i) {
    const std::int64_t size = 10 + random.index(30);
    const double share = 0.05 + 0.1 * random.normal();
    regions.push_back({size, std::llround(share * static_cast<double>(size))});
  }
  return regions;
}

double share_that_covers(int regions, int samples) {
  Random random(77);
  int covered = 0;
  for (int s = 0; s < samples; ++s) {
    const auto interval = bootstrap_difference(random_regions(regions, random), static_cast<std::uint64_t>(s));
    covered += interval && interval->low <= 0.05 && 0.05 <= interval->high ? 1 : 0;
  }
  return static_cast<double>(covered) / samples;
}

}  // namespace

TEST_CASE("few discordant pixels are a matter of coins") {
  // Two-sided 2 * P(X <= 2) of 10 fair coins: 2 * (1 + 10 + 45) / 1024.
  const McNemarTest few = mcnemar_test({100, 8, 2, 5});
  CHECK(few.exact);
  CHECK(few.p_value == doctest::Approx(112.0 / 1024));
  CHECK(mcnemar_test({100, 2, 8, 5}).p_value == few.p_value);
  CHECK(mcnemar_test({100, 5, 5, 0}).p_value == 1);
  CHECK(mcnemar_test({100, 0, 0, 0}).p_value == 1);
  CHECK(mcnemar_test({0, 6, 0, 0}).p_value == doctest::Approx(2.0 / 64));
}

TEST_CASE("many discordant pixels are chi-square with the continuity correction") {
  // The example of Agresti's approval ratings: 86 and 150 disagree.
  const McNemarTest many = mcnemar_test({794, 150, 86, 570});
  CHECK_FALSE(many.exact);
  CHECK(many.statistic == doctest::Approx(63.0 * 63.0 / 236));
  CHECK(many.p_value == doctest::Approx(std::erfc(std::sqrt(many.statistic / 2))));
  CHECK(many.p_value == doctest::Approx(4.115e-05).epsilon(1e-3));
  CHECK(mcnemar_test({0, 20, 20, 0}).p_value == 1);
}

TEST_CASE("both forms agree where one takes over") {
  const double exact = mcnemar_test({0, 17, 7, 0}).p_value;
  const double approximate = mcnemar_test({0, 18, 7, 0}).p_value;
  CHECK(mcnemar_test({0, 17, 7, 0}).exact);
  CHECK_FALSE(mcnemar_test({0, 18, 7, 0}).exact);
  CHECK(std::abs(exact - approximate) < 0.03);
}

TEST_CASE("intervals of few regions hold the difference as often as they say") {
  for (const int regions : {6, 12, 40}) {
    const double covered = share_that_covers(regions, 400);
    CAPTURE(regions);
    CAPTURE(covered);
    CHECK(covered >= 0.92);
    CHECK(covered <= 0.98);
  }
}

TEST_CASE("the interval of two regions is as long as it can be, not longer") {
  const Interval interval = bootstrap_difference({{10, 9}, {10, -5}}, 0).value();
  CHECK(interval.low == -1);
  CHECK(interval.high == 1);
}

TEST_CASE("drawing kinds of regions is drawing regions") {
  Random random(4);
  std::vector<RegionDifference> polygons;
  for (int i = 0; i < 30; ++i) {
    const std::int64_t size = 1 + random.index(40);
    polygons.push_back({size, random.index(size + 1) - size / 3});
  }
  const std::vector<std::pair<std::vector<RegionDifference>, double>> cases = {{polygons, kStretch30},
                                                                               {pixels(60, 30, 310), kStretch400}};
  for (const auto& [regions, stretch] : cases) {
    const Interval fast = bootstrap_difference(regions, 0).value();
    const Interval naive = naive_bootstrap(regions, 20000, stretch);
    const double width = naive.high - naive.low;
    CHECK(std::abs(fast.low - naive.low) < 0.06 * width);
    CHECK(std::abs(fast.high - naive.high) < 0.06 * width);
  }
}

TEST_CASE("the interval of many pixels is the normal one of the difference") {
  const Interval interval = bootstrap_difference(pixels(600, 300, 9100), 0).value();
  const double error = std::sqrt((0.09 - 0.03 * 0.03) / 10000);
  CHECK(interval.low == doctest::Approx(0.03 - 1.96 * error).epsilon(0.03));
  CHECK(interval.high == doctest::Approx(0.03 + 1.96 * error).epsilon(0.03));
}

TEST_CASE("the same seed gives the same interval, whatever the order") {
  std::vector<RegionDifference> regions = {{5, 3}, {20, -2}, {7, 0}, {5, 3}, {11, 6}, {31, 2}, {17, -5}};
  const auto interval = bootstrap_difference(regions, 0);
  std::reverse(regions.begin(), regions.end());
  CHECK(bootstrap_difference(regions, 0) == interval);
  CHECK_FALSE(bootstrap_difference(regions, 1) == interval);
}

TEST_CASE("polygons that stand or fall as a whole make the interval wider than their pixels would") {
  std::vector<RegionDifference> polygons;
  for (int i = 0; i < 20; ++i) {
    polygons.push_back({25, i < 6 ? 25 : i < 9 ? -25 : 0});
  }
  const Interval whole = bootstrap_difference(polygons, 0).value();
  const Interval single = bootstrap_difference(pixels(150, 75, 275), 0).value();
  CHECK((whole.high - whole.low) / (single.high - single.low) == doctest::Approx(5 * kStretch20).epsilon(0.07));
}

TEST_CASE("a single region, or regions that are all alike, have nothing to draw from") {
  CHECK_FALSE(bootstrap_difference({{10, 4}}, 0));
  CHECK_FALSE(bootstrap_difference({{10, 0}, {7, 0}, {3, 0}}, 0));
}

namespace {

using test::kForestAndWater;
using test::MemoryMap;
using test::reference;

const ClassTable kTurned = {{1, "water", {}}, {2, "forest", {}}};

MapComparison compare_with(MemoryMap& first, MemoryMap& second, const LabelledPixels& labels) {
  return compare_maps(first, second, labels,
                      right_of_pairs(compare(first, labels, "labels"), second, labels, "labels"));
}

}  // namespace

TEST_CASE("pixels are counted by which map is right, whatever its codes, and pairs with a hole are left out") {
  MemoryMap first(4, {1, 1, 2, 2, 1, 1, 0, 2}, kForestAndWater, true);
  MemoryMap second(4, {2, 1, 1, 2, 1, 0, 2, 1}, kTurned, true);
  const LabelledPixels labels = reference(
      kForestAndWater, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 1, 0}, {4, 1, 0}, {5, 0, 0}, {6, 0, 0}, {7, 1, 0}}, true);
  const MapComparison record = compare_with(first, second, labels);
  CHECK(record.counts.both_right == 2);   // 0 and 7
  CHECK(record.counts.first_only == 2);   // 1 and 3
  CHECK(record.counts.second_only == 1);  // 4
  CHECK(record.counts.both_wrong == 1);   // 2
  CHECK(record.unclassified_pixels == 2);
  CHECK(record.test.exact);
  CHECK(record.test.p_value == 1);
  CHECK_FALSE(record.regions);
  CHECK(record.difference == bootstrap_difference({{1, 1}, {1, 1}, {1, -1}, {1, 0}, {1, 0}, {1, 0}}, 0));
}

TEST_CASE("features are drawn as wholes") {
  std::vector<std::uint16_t> codes(40, 1);
  MemoryMap first(10, codes, kForestAndWater, true);
  std::fill(codes.begin(), codes.begin() + 10, 2);
  MemoryMap second(10, codes, kForestAndWater, true);
  std::vector<LabelledPixel> pixels;
  for (std::int64_t i = 0; i < 40; ++i) {
    pixels.push_back({i, 0, i / 10 + 1});
  }
  const MapComparison record = compare_with(first, second, reference(kForestAndWater, pixels, true));
  CHECK(record.regions == 4);
  CHECK(record.difference == bootstrap_difference({{10, 10}, {10, 0}, {10, 0}, {10, 0}}, 0));
  // Four features do not tell the maps apart, however many pixels they have.
  CHECK(record.difference->low < 0);
  CHECK(record.difference->high >= 0.5);
}

TEST_CASE("maps without a common pixel cannot be compared") {
  MemoryMap first(2, {1, 1, 0, 0}, kForestAndWater, true);
  MemoryMap holes(2, {0, 0, 1, 1}, kForestAndWater, true, "holes.tif");
  const LabelledPixels labels = reference(kForestAndWater, {{0, 0, 0}, {2, 0, 0}}, true);
  CHECK(message_of([&] { compare_with(first, holes, labels); }) ==
        "map.tif and holes.tif have no reference pixel that both classify; there is nothing to compare");
}

}  // namespace parsimap::test
