#include "parsimap/validation/expected_accuracy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
const ExpectedAccuracyOptions kFew{1, 1, 199};

// `units` units of ten samples for each row of the confusion, whose entries are tenths.
LeftOutResults with_confusion(const std::vector<std::vector<int>>& rows, int units) {
  LeftOutResults results;
  results.classes = static_cast<Index>(rows.size());
  results.label_shares.assign(rows.size(), 1.0 / static_cast<double>(rows.size()));
  for (int u = 0; u < units * static_cast<int>(rows.size()); ++u) {
    const int label = u % static_cast<int>(rows.size());
    for (int c = 0; c < static_cast<int>(rows.size()); ++c) {
      for (int i = 0; i < rows[static_cast<std::size_t>(label)][static_cast<std::size_t>(c)]; ++i) {
        results.records.push_back({label, c, {u}, std::ssize(results.records)});
      }
    }
  }
  return results;
}

MapDraw map_of(const std::vector<int>& pixels) {
  MapDraw map;
  for (std::size_t c = 0; c < pixels.size(); ++c) {
    map.predicted.insert(map.predicted.end(), static_cast<std::size_t>(pixels[c]), static_cast<int>(c));
  }
  return map;
}

// Left out as pixels, as blocks and as wholes: farther from labels, fewer are right.
LeftOutResults at_distances(Random& random) {
  LeftOutResults results;
  results.classes = 2;
  results.label_shares = {0.5, 0.5};
  for (int design = 0; design < 3; ++design) {
    for (int i = 0; i < 600; ++i) {
      const double distance = std::pow(4.0, design) * (1 + random.uniform());
      const bool right = random.uniform() < 0.95 - 0.15 * design;
      const int unit = design == 0 ? i : design == 1 ? i / 5 : i / 20;
      results.records.push_back({i % 2, right ? i % 2 : 1 - i % 2, {unit}, i, design, distance});
    }
  }
  results.main_design = 1;
  return results;
}

std::vector<double> figures(const ExpectedAccuracy& expected) {
  std::vector<double> list = {*expected.overall, *expected.average, *expected.condition};
  for (const DistanceAccuracy& entry : expected.by_distance) {
    list.push_back(*entry.accuracy);
  }
  return list;
}

void check_close(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(std::abs(a[i] - b[i]) <= tolerance);
  }
}

}  // namespace

TEST_CASE("shares of labels are those of all samples, and there is no record of a sample left out yet") {
  const LeftOutResults results = left_out_results({0, 1, 1, 0, 1}, 2);
  CHECK(results.classes == 2);
  CHECK(results.label_shares == std::vector<double>{0.4, 0.6});
  CHECK(results.records.empty());
}

TEST_CASE("a classifier without errors has accuracy 1 and an interval that few units leave wide") {
  const ExpectedAccuracy few = expected_accuracy(with_confusion({{10, 0}, {0, 10}}, 5), map_of({300, 700}), kFew);
  CHECK(*few.overall == doctest::Approx(1));
  CHECK(*few.classes[0].share == doctest::Approx(0.3).epsilon(0.01));
  CHECK(*few.condition == doctest::Approx(1));
  CHECK(few.problem == SharesProblem::none);
  CHECK(few.overall_interval->high == doctest::Approx(1));
  CHECK(few.overall_interval->low < 0.9);
  const ExpectedAccuracy many = expected_accuracy(with_confusion({{10, 0}, {0, 10}}, 100), map_of({300, 700}), kFew);
  CHECK(many.overall_interval->low > 0.95);
  CHECK(many.overall_interval->low < 1);
}

TEST_CASE("the shares of two classes follow from those of the map in closed form") {
  // s_1 = .9 pi_1 + .4 (1 - pi_1), so that pi_1 = (.5 - .4) / .5, and the accuracy is .2 x .9 + .8 x .6.
  const ExpectedAccuracy expected =
      expected_accuracy(with_confusion({{9, 1}, {4, 6}}, 2000), map_of({5000, 5000}), {1, 1, 9});
  CHECK(*expected.classes[0].share == doctest::Approx(0.2).epsilon(0.01));
  CHECK(*expected.classes[0].found == doctest::Approx(0.9));
  CHECK(*expected.overall == doctest::Approx(0.66).epsilon(0.005));
  CHECK(*expected.average == doctest::Approx(0.75));
  CHECK(expected.by_distance.empty());
  CHECK(!expected.average_first);
}

TEST_CASE("without a map classes have the shares of the labels") {
  LeftOutResults results = with_confusion({{9, 1}, {4, 6}}, 10);
  results.label_shares = {0.7, 0.3};
  const ExpectedAccuracy expected = expected_accuracy(results, {}, kFew);
  CHECK(*expected.overall == doctest::Approx(0.7 * 0.9 + 0.3 * 0.6));
  CHECK(*expected.classes[0].share == doctest::Approx(0.7));
  CHECK(expected.overall_interval->low < *expected.overall);
  CHECK(expected.overall_interval->high > *expected.overall);
}

TEST_CASE("where the map cannot distinguish classes, the interval spans what their shares may be") {
  // Both are assigned to the first class; half and half and all of the first look the same.
  const ExpectedAccuracy expected = expected_accuracy(with_confusion({{9, 1}, {9, 1}}, 50), map_of({900, 100}), kFew);
  CHECK((!expected.condition || *expected.condition > 10));
  CHECK(expected.problem == SharesProblem::overlap);
  CHECK(expected.problem_classes == std::vector<int>{0, 1});
  CHECK(expected.average_first);
  CHECK(expected.overall_interval->low < 0.15);
  CHECK(expected.overall_interval->high > 0.85);
  CHECK(*expected.average == doctest::Approx(0.5));
}

TEST_CASE("figures do not depend on the order of records, and classes may be numbered in any way") {
  Random random(9);
  const LeftOutResults results = at_distances(random);
  MapDraw map;
  for (int i = 0; i < 500; ++i) {
    map.predicted.push_back(i % 3 == 0 ? 1 : 0);
    map.distances.push_back(1 + 30 * random.uniform());
  }
  const ExpectedAccuracy expected = expected_accuracy(results, map, kFew);
  LeftOutResults shuffled = results;
  shuffled.records = values_at(results.records, random.permutation(std::ssize(results.records)));
  const ExpectedAccuracy again = expected_accuracy(shuffled, map, {1, 2, 199});
  CHECK(figures(again) == figures(expected));
  CHECK(again.overall_interval == expected.overall_interval);

  LeftOutResults renamed = results;
  MapDraw renamed_map = map;
  for (LeftOutRecord& record : renamed.records) {
    record.label = 1 - record.label;
    record.predicted = 1 - record.predicted;
  }
  for (int& c : renamed_map.predicted) {
    c = 1 - c;
  }
  const ExpectedAccuracy other = expected_accuracy(renamed, renamed_map, kFew);
  check_close(figures(other), figures(expected), 1e-9);
  CHECK(*other.classes[0].share == doctest::Approx(*expected.classes[1].share));

  LeftOutResults doubled = results;
  add_all(doubled.records, results.records);
  check_close(figures(expected_accuracy(doubled, map, kFew)), figures(expected), 1e-9);
}

TEST_CASE("accuracy by distance does not rise, and its mean over the map is the overall accuracy") {
  Random random(4);
  const LeftOutResults results = at_distances(random);
  MapDraw map;
  for (int i = 0; i < 1000; ++i) {
    map.predicted.push_back(i % 2);
    map.distances.push_back(i < 100 ? 1000 : 1 + 0.03 * i);
  }
  const ExpectedAccuracy expected = expected_accuracy(results, map, kFew);
  REQUIRE(expected.by_distance.size() > 2);
  CHECK(*expected.not_measured == doctest::Approx(0.1).epsilon(0.05));
  double mean = 0;
  double share = 0;
  for (std::size_t b = 0; b < expected.by_distance.size(); ++b) {
    const DistanceAccuracy& entry = expected.by_distance[b];
    CHECK((b == 0 || *entry.accuracy <= *expected.by_distance[b - 1].accuracy + 1e-12));
    CHECK(entry.interval->low < entry.interval->high);
    CHECK(entry.interval->low <= *entry.accuracy);
    CHECK(entry.interval->high >= *entry.accuracy);
    mean += *entry.map_share * *entry.accuracy;
    share += *entry.map_share;
  }
  CHECK(share == doctest::Approx(1 - *expected.not_measured));
  CHECK(mean / share == doctest::Approx(*expected.overall).epsilon(1e-6));
  // The designs were made with .95, .80 and .65.
  CHECK(*expected.by_distance.front().accuracy == doctest::Approx(0.95).epsilon(0.03));
  CHECK(*expected.by_distance.back().accuracy == doctest::Approx(0.65).epsilon(0.06));
  MapDraw near = map;
  near.distances.assign(near.predicted.size(), 1.5);
  MapDraw far = map;
  far.distances.assign(far.predicted.size(), 25);
  CHECK(*expected_accuracy(results, far, kFew).overall < *expected_accuracy(results, near, kFew).overall - 0.2);
}

TEST_CASE("nothing is said where there is nothing to say") {
  LeftOutResults none;
  none.classes = 3;
  none.label_shares = {0, 0, 0};
  const ExpectedAccuracy empty = expected_accuracy(none, {}, kFew);
  CHECK(!empty.overall);
  CHECK(!empty.average);
  CHECK(!empty.overall_interval);
  CHECK(empty.classes.size() == 3);
  CHECK(empty.support == Support{0, 0});

  const ExpectedAccuracy one_class = expected_accuracy(with_confusion({{10}}, 4), map_of({10}), kFew);
  CHECK(!one_class.overall);
  CHECK(!one_class.average);
  CHECK(one_class.classes[0].support == Support{40, 4});
}

TEST_CASE("one unit gives no interval") {
  LeftOutResults results = with_confusion({{9, 1}, {4, 6}}, 1);
  for (LeftOutRecord& record : results.records) {
    record.unit = {5};
  }
  const ExpectedAccuracy expected = expected_accuracy(results, map_of({5, 5}), kFew);
  CHECK(expected.overall);
  CHECK(!expected.overall_interval);
  CHECK(!expected.average_interval);
}

TEST_CASE("units that all agree give an interval that is no point") {
  const ExpectedAccuracy expected = expected_accuracy(with_confusion({{8, 2}, {2, 8}}, 6), map_of({50, 50}), kFew);
  CHECK(*expected.overall == doctest::Approx(0.8));
  CHECK(expected.overall_interval->high - expected.overall_interval->low > 0.01);
  CHECK(expected.average_interval->low < 0.8);
}

TEST_CASE("a class that is never predicted leaves the shares open and is named") {
  const ExpectedAccuracy expected =
      expected_accuracy(with_confusion({{9, 1, 0}, {1, 9, 0}, {5, 5, 0}}, 10), map_of({50, 50, 0}), kFew);
  CHECK(!expected.condition);
  CHECK(expected.problem == SharesProblem::never_predicted);
  CHECK(expected.problem_classes == std::vector<int>{2});
  CHECK(expected.average_first);
  CHECK(*expected.classes[2].found == 0);
  // All of the map may be of the third class, or none.
  CHECK(expected.overall_interval->low < 0.3);
  CHECK(expected.overall_interval->high > 0.8);
}

TEST_CASE("a class without left-out samples is taken to be absent and is named") {
  LeftOutResults results = with_confusion({{9, 1, 0}, {1, 9, 0}, {0, 0, 0}}, 10);
  const ExpectedAccuracy expected = expected_accuracy(results, map_of({45, 45, 10}), kFew);
  CHECK(*expected.overall == doctest::Approx(0.9));
  CHECK(!expected.classes[2].share);
  CHECK(!expected.classes[2].found);
  CHECK(expected.classes[2].support == Support{0, 0});
  CHECK(expected.problem == SharesProblem::untested_class);
  CHECK(expected.problem_classes == std::vector<int>{2});

  LeftOutResults single = with_confusion({{9, 1}, {0, 0}}, 10);
  const ExpectedAccuracy lonely = expected_accuracy(single, map_of({45, 45}), kFew);
  CHECK(!lonely.overall);
  CHECK(*lonely.average == doctest::Approx(0.9));
  CHECK(lonely.average_interval->low < 0.9);
}

TEST_CASE("without positions there is no curve") {
  Random random(2);
  LeftOutResults results = at_distances(random);
  for (LeftOutRecord& record : results.records) {
    record.distance = kUnknown;
  }
  const ExpectedAccuracy expected = expected_accuracy(results, map_of({50, 50}), kFew);
  CHECK(expected.by_distance.empty());
  CHECK(!expected.not_measured);
  CHECK(expected.support.pixels == 600);
  // The main design alone.
  CHECK(*expected.average == doctest::Approx(0.8).epsilon(0.05));
}

TEST_CASE("intervals contain the true accuracy in most draws") {
  // 24 units whose own share of right samples varies between .6 and 1, labels unlike the map, which is .3 and .7.
  int covered = 0;
  constexpr int kDraws = 40;
  for (int draw = 0; draw < kDraws; ++draw) {
    Random random(21, static_cast<std::uint64_t>(draw));
    LeftOutResults results;
    results.classes = 2;
    results.label_shares = {0.75, 0.25};
    for (int u = 0; u < 24; ++u) {
      const double right = 0.6 + 0.4 * random.uniform();
      const int label = u % 4 == 0 ? 1 : 0;
      for (Index i = 2 + random.index(20); i > 0; --i) {
        const int predicted = random.uniform() < right ? label : 1 - label;
        results.records.push_back({label, predicted, {u}, std::ssize(results.records)});
      }
    }
    // .8 of both are right, so that the map has .3 x .8 + .7 x .2 of the first.
    const ExpectedAccuracy expected = expected_accuracy(results, map_of({380, 620}), kFew);
    covered += expected.overall_interval->low <= 0.8 && 0.8 <= expected.overall_interval->high ? 1 : 0;
    CHECK(expected.overall_interval->high - expected.overall_interval->low < 0.7);
  }
  CHECK(covered >= 34);
}

TEST_CASE("the accuracy inside of the area of applicability is that of the records and pixels there alone") {
  Random random(8);
  LeftOutResults results = at_distances(random);
  MapDraw map = map_of({900, 600});
  for (std::size_t i = 0; i < map.predicted.size(); ++i) {
    map.distances.push_back(1 + 30 * random.uniform());
  }
  CHECK_FALSE(expected_accuracy(results, map, kFew).inside);
  // What is wrong is mostly unlike its class, which is what the layer is for.
  LeftOutResults own = results;
  own.records.clear();
  for (LeftOutRecord& record : results.records) {
    const bool outside = random.uniform() < (record.label == record.predicted ? 0.05 : 0.8);
    if (!outside) {
      own.records.push_back(record);
    }
    record.unlike = outside ? 0.96 : kLargestUnlikeness;
  }
  MapDraw near;
  for (std::size_t i = 0; i < map.predicted.size(); ++i) {
    const bool outside = i % 4 == 0;
    map.unlike.push_back(outside ? 1 : 0.5);
    if (!outside) {
      near.predicted.push_back(map.predicted[i]);
      near.distances.push_back(map.distances[i]);
    }
  }
  const ExpectedAccuracy all = expected_accuracy(results, map, kFew);
  const ExpectedAccuracy alone = expected_accuracy(own, near, kFew);
  REQUIRE(all.inside);
  CHECK(all.inside->map_share == 0.75);
  CHECK(all.inside->accuracy == alone.overall);
  CHECK(all.inside->interval->low == alone.overall_interval->low);
  CHECK(all.inside->interval->high == alone.overall_interval->high);
  CHECK(all.inside->support == alone.support);
  CHECK(*all.inside->accuracy > *all.overall + 0.05);
}

}  // namespace parsimap::test
