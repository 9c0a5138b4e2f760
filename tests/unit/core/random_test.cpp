#include "parsimap/core/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace parsimap;

TEST_CASE("random: a seed gives the same numbers, another seed or stream others") {
  Random a(7);
  Random b(7);
  Random other_seed(8);
  Random other_stream(7, 1);
  const double first = a.uniform();
  CHECK(first == b.uniform());
  CHECK(first != other_seed.uniform());
  CHECK(first != other_stream.uniform());
}

TEST_CASE("random: moments of the distributions") {
  Random random(1);
  const Matrix normals = random.normal_matrix(200, 500);
  CHECK(std::abs(normals.mean()) < 0.01);
  CHECK(normals.array().square().mean() == doctest::Approx(1.0).epsilon(0.02));
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double u = random.uniform();
    CHECK_UNARY(u >= 0 && u < 1);
    sum += u;
  }
  CHECK(sum / 100000 == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("random: indices cover their range evenly") {
  Random random(3);
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70000; ++i) {
    ++counts[static_cast<std::size_t>(random.index(7))];
  }
  CHECK(*std::min_element(counts.begin(), counts.end()) > 9500);
  CHECK(*std::max_element(counts.begin(), counts.end()) < 10500);
}

TEST_CASE("random: a permutation holds every index once and is not the identity") {
  Indices order = Random(5).permutation(100);
  CHECK_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (Index i = 0; i < 100; ++i) {
    CHECK(order[static_cast<std::size_t>(i)] == i);
  }
}

TEST_CASE("random: binomial counts have their mean and variance, few trials and many, and the ends are certain") {
  Random random(6);
  CHECK(random.binomial(0, 0.3) == 0);
  CHECK(random.binomial(9, 0) == 0);
  CHECK(random.binomial(9, 1) == 9);
  for (const double trials : {12.0, 5000.0}) {
    for (const double chance : {0.1, 0.8}) {
      double sum = 0;
      double squares = 0;
      constexpr int kDraws = 20000;
      for (int i = 0; i < kDraws; ++i) {
        const auto drawn = static_cast<double>(random.binomial(static_cast<std::int64_t>(trials), chance));
        sum += drawn;
        squares += drawn * drawn;
      }
      const double mean = sum / kDraws;
      CHECK(mean == doctest::Approx(trials * chance).epsilon(0.02));
      CHECK(squares / kDraws - mean * mean == doctest::Approx(trials * chance * (1 - chance)).epsilon(0.05));
    }
  }
}
