#include "mapping/weighted_sample.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace parsimap;

namespace {

using Sample = WeightedSample<int>;

double weight_of(std::int64_t number) { return static_cast<double>(number % 5); }

// Items first, first + step .. below first + step * count.
std::vector<Sample::Entry> drawn(std::size_t size, std::int64_t first, std::int64_t step, std::int64_t count) {
  Sample sample(size);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t number = first + step * i;
    sample.add(number, weight_of(number), static_cast<int>(number));
  }
  return sample.take();
}

}  // namespace

TEST_CASE("while there is room all items with a weight are kept, with their own weights") {
  const auto entries = drawn(10, 0, 1, 10);
  REQUIRE(entries.size() == 8);
  for (const Sample::Entry& entry : entries) {
    CHECK(entry.weight == weight_of(entry.number));
    CHECK(entry.item == entry.number);
  }
  CHECK(entries.front().number == 1);
  CHECK(entries.back().number == 9);
}

TEST_CASE("the sample does not depend on the order in which items come") {
  const auto forwards = drawn(30, 0, 1, 1000);
  const auto backwards = drawn(30, 999, -1, 1000);
  REQUIRE(forwards.size() == 30);
  REQUIRE(backwards.size() == 30);
  for (std::size_t i = 0; i < 30; ++i) {
    CHECK(forwards[i].number == backwards[i].number);
    CHECK(forwards[i].weight == backwards[i].weight);
  }
}

TEST_CASE("weights of a sample add up to those of all items, without bias") {
  // Disjoint streams of 1000 items each, whose weights add up to 2000.
  double mean = 0;
  double square = 0;
  constexpr int kStreams = 400;
  for (int stream = 0; stream < kStreams; ++stream) {
    double sum = 0;
    for (const Sample::Entry& entry : drawn(50, 1000 * stream, 1, 1000)) {
      sum += entry.weight;
    }
    mean += sum / kStreams;
    square += sum * sum / kStreams;
  }
  const double error = std::sqrt((square - mean * mean) / kStreams);
  CHECK(error < 30);
  CHECK(std::abs(mean - 2000) < 3 * error);
}

TEST_CASE("hashes are evenly spread shares") {
  double mean = 0;
  std::set<double> seen;
  for (std::int64_t number = 0; number < 10000; ++number) {
    const double share = hashed_share(number);
    REQUIRE(share > 0);
    REQUIRE(share <= 1);
    mean += share / 10000;
    seen.insert(share);
  }
  CHECK(std::abs(mean - 0.5) < 0.01);
  CHECK(seen.size() == 10000);
}
