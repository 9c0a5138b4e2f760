#include "parsimap/accuracy/sequential_interval.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

std::vector<SequentialUnit> beginning(const std::vector<SequentialUnit>& units, std::size_t count) {
  return {units.begin(), units.begin() + static_cast<std::ptrdiff_t>(count)};
}

// Zeros and ones of strata whose pixels are all known: two of each first, and then a random order of all.
struct KnownPopulation {
  std::vector<SequentialStratum> strata;
  std::vector<Index> right;  // pixels of each stratum with the value 1

  [[nodiscard]] double mean() const {
    double ones = 0;
    double pixels = 0;
    for (std::size_t h = 0; h < strata.size(); ++h) {
      ones += static_cast<double>(right[h]);
      pixels += strata[h].pixels;
    }
    return ones / pixels;
  }
  [[nodiscard]] std::vector<SequentialUnit> draw(std::uint64_t seed) const {
    Random random(seed);
    std::vector<SequentialUnit> first;
    std::vector<SequentialUnit> others;
    for (std::size_t h = 0; h < strata.size(); ++h) {
      const Indices order = random.permutation(static_cast<Index>(strata[h].pixels));
      for (std::size_t i = 0; i < static_cast<std::size_t>(strata[h].planned); ++i) {
        (i < 2 ? first : others).push_back({static_cast<Index>(h), order[i] < right[h] ? 1.0 : 0.0});
      }
    }
    for (const Index i : random.permutation(static_cast<Index>(others.size()))) {
      first.push_back(others[static_cast<std::size_t>(i)]);
    }
    return first;
  }
};

}  // namespace

TEST_CASE("the truth is outside at any size in few draws, of simple and of stratified samples") {
  const std::vector<KnownPopulation> populations = {
      {{{300, 100}}, {240}}, {{{500, 60}, {100, 60}, {30, 30}}, {490, 50, 10}}, {{{200, 150}, {40, 10}}, {20, 39}}};
  for (const KnownPopulation& population : populations) {
    int missed = 0;
    constexpr int kDraws = 400;
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
      const Interval interval = sequential_interval(population.strata, population.draw(seed));
      missed += interval.low > population.mean() || interval.high < population.mean() ? 1 : 0;
    }
    // 5 % and two standard errors of 400 draws.
    CHECK(missed <= 28);
  }
}

TEST_CASE("intervals lie within those of every beginning, and become narrow") {
  const KnownPopulation population{{{500, 60}, {100, 60}}, {490, 50}};
  const std::vector<SequentialUnit> units = population.draw(5);
  Interval before = sequential_interval(population.strata, beginning(units, 0));
  CHECK(before == Interval{0, 1});
  for (std::size_t count = 1; count <= units.size(); ++count) {
    const Interval now = sequential_interval(population.strata, beginning(units, count));
    CHECK(now.low >= before.low - 1e-9);
    CHECK(now.high <= before.high + 1e-9);
    before = now;
  }
  CHECK(before.high - before.low < 0.15);
}

TEST_CASE("a population of which every pixel was seen is known") {
  const KnownPopulation population{{{40, 40}, {20, 20}}, {30, 1}};
  const Interval interval = sequential_interval(population.strata, population.draw(1));
  CHECK(interval.low == doctest::Approx(31.0 / 60));
  CHECK(interval.high == doctest::Approx(31.0 / 60));
}

TEST_CASE("values turned round have the interval turned round") {
  const KnownPopulation population{{{400, 50}, {100, 50}}, {300, 90}};
  std::vector<SequentialUnit> units = population.draw(2);
  const Interval interval = sequential_interval(population.strata, units);
  for (SequentialUnit& unit : units) {
    unit.value = 1 - unit.value;
  }
  const Interval turned = sequential_interval(population.strata, units);
  CHECK(turned.low == doctest::Approx(1 - interval.high).epsilon(1e-6));
  CHECK(turned.high == doctest::Approx(1 - interval.low).epsilon(1e-6));
}

TEST_CASE("blocks that are drawn with replacement say nothing for sure") {
  const std::vector<SequentialUnit> ones(30, {0, 1.0});
  const Interval interval = sequential_interval({{30, 30, true}}, ones);
  CHECK(interval.high == 1);
  CHECK(interval.low > 0.8);
  CHECK(interval.low < 1);
}

}  // namespace parsimap::test
