#include "parsimap/validation/prediction_sets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

constexpr double kMissing = -std::numeric_limits<double>::infinity();

// Scores of samples of one of two classes, in units whose means differ.
struct UnitScores {
  Matrix scores;
  std::vector<int> labels;
  std::vector<SampleUnit> units;

  // `sizes` of the units, all of the first class.
  UnitScores(const Indices& sizes, Random& random) {
    for (std::size_t unit = 0; unit < sizes.size(); ++unit) {
      labels.insert(labels.end(), static_cast<std::size_t>(sizes[unit]), 0);
      units.insert(units.end(), static_cast<std::size_t>(sizes[unit]), {static_cast<std::int64_t>(unit)});
    }
    scores = Matrix::Zero(std::ssize(labels), 2);
    double mean = 0;
    for (Index i = 0; i < scores.rows(); ++i) {
      const auto sample = static_cast<std::size_t>(i);
      mean = i == 0 || units[sample] != units[sample - 1] ? random.normal() : mean;
      scores(i, 0) = mean + random.normal();
    }
  }

  [[nodiscard]] OwnProbabilities own(double slope = 1) const {
    return own_probabilities(scores, slope, labels, units, {true, true})[0];
  }
};

double share_of(const UnitScores& of, const Vector& probabilities, std::int64_t unit, double threshold) {
  double reached = 0;
  double all = 0;
  for (std::size_t i = 0; i < of.units.size(); ++i) {
    if (of.units[i].number == unit) {
      all += 1;
      reached += probabilities(static_cast<Index>(i)) >= threshold ? 1 : 0;
    }
  }
  return reached / all;
}

// The largest threshold that shares with this sum over the units, but one, reach.
double largest_threshold(const UnitScores& of, const Vector& probabilities, double sum, std::int64_t without = -1) {
  double largest = 0;
  for (const double threshold : probabilities) {
    double shares = 0;
    for (std::int64_t unit = 0; unit <= of.units.back().number; ++unit) {
      shares += unit == without ? 0 : share_of(of, probabilities, unit, threshold);
    }
    largest = shares >= sum - 1e-9 ? std::max(largest, threshold) : largest;
  }
  return largest;
}

// The definition of docs/method.md in plain loops.
double naive_threshold(const UnitScores& of, double slope, double level) {
  const Vector probabilities = 1 / (1 + (slope * (of.scores.col(1) - of.scores.col(0)).array()).exp());
  const std::int64_t count = of.units.back().number + 1;
  const auto units = static_cast<double>(count);
  const double guaranteed = largest_threshold(of, probabilities, level * (units + 1));
  for (int step = -50; step <= 50; ++step) {
    const double tried = level + (1 - level) * step / 50;
    double mean = 0;
    double square = 0;
    for (std::int64_t unit = 0; unit < count; ++unit) {
      const double by_others = largest_threshold(of, probabilities, tried * (units - 1), unit);
      const double share = share_of(of, probabilities, unit, by_others);
      mean += share / units;
      square += share * share / units;
    }
    const double alike = mean > 0 && mean < 1 ? (square - mean * mean) / (mean * (1 - mean)) : 1;
    if (mean >= level * (1 + alike / units) - 1e-9) {
      return std::max(guaranteed, largest_threshold(of, probabilities, tried * units));
    }
  }
  return guaranteed;
}

}  // namespace

TEST_CASE("thresholds follow the definition") {
  Random random(1);
  for (int draw = 0; draw < 5; ++draw) {
    Indices sizes(12 + 2 * static_cast<std::size_t>(draw));
    std::ranges::generate(sizes, [&] { return 1 + random.index(5); });
    const UnitScores data(sizes, random);
    for (const double level : {0.5, 0.8, 0.9}) {
      CHECK(set_threshold(data.own(1.7), level) == doctest::Approx(naive_threshold(data, 1.7, level)));
    }
  }
}

TEST_CASE("too few units put a class in every set") {
  Random random(2);
  const UnitScores eight(Indices(8, 3), random);
  CHECK(set_threshold(eight.own(), 0.9) == 0);
  // 9 of 9 + 1 units of one sample each: the least of all probabilities.
  const UnitScores nine(Indices(9, 1), random);
  CHECK(set_threshold(nine.own(), 0.9) == nine.own().probabilities.minCoeff());
  // Single samples of a class that lies in one unit are one unit, and a class without samples has none.
  const auto single = own_probabilities(nine.scores, 1, nine.labels, nine.units, {false, true});
  CHECK(single[0].unit_count() == 1);
  CHECK(set_threshold(single[0], 0.6) == 0);
  CHECK(single[1].unit_count() == 0);
  CHECK(set_threshold(single[1], 0.6) == 0);
  CHECK(set_threshold(single[1], 1e-12) == 0);
}

TEST_CASE("classes that were not trained count for nothing") {
  // A sample whose own class was not trained is no evidence; another class that was not trained has the probability 0.
  const Matrix scores{{kMissing, 0}, {1, kMissing}};
  const auto own = own_probabilities(scores, 1, {0, 0}, {{0}, {1}}, {true, true});
  CHECK(own[0].unit_count() == 1);
  CHECK(own[0].probabilities == Vector{{1}});
}

TEST_CASE("sets contain the class of a random pixel of a new unit as often as promised") {
  constexpr int kDraws = 300;
  Random random(3);
  for (const Index units : {9, 12, 20, 40}) {
    for (const Index most : {1, 10}) {
      double covered = 0;
      for (int draw = 0; draw < kDraws; ++draw) {
        Indices sizes(static_cast<std::size_t>(units));
        std::ranges::generate(sizes, [&] { return 1 + random.index(most); });
        const double threshold = set_threshold(UnitScores(sizes, random).own(), 0.9);
        const UnitScores fresh(Indices(40, 5), random);
        covered += (fresh.own().probabilities.array() >= threshold).cast<double>().mean() / kDraws;
      }
      CAPTURE(units);
      CAPTURE(most);
      CHECK(covered > 0.88);
      CHECK(covered < (units < 20 ? 0.95 : 0.93));
    }
  }
}

}  // namespace parsimap::test
