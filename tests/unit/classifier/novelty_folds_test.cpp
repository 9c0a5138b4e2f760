#include "classifier/novelty_folds.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "support/toy_samples.hpp"

using namespace parsimap;

TEST_CASE("novelty folds: whole regions where there are five, else every fifth sample") {
  SampleSet samples = toy::three_classes(20, 1);
  for (std::size_t i = 0; i < samples.regions.size(); ++i) {
    samples.regions[i] = static_cast<std::int64_t>(i / 10);  // six regions
  }
  const Indices rows = {0, 5, 12, 18, 25, 33, 41, 58};
  const Indices folds = novelty_folds(samples, rows);
  REQUIRE(folds.size() == rows.size());
  std::map<std::int64_t, std::set<Index>> of_region;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    CHECK(folds[k] >= 0);
    CHECK(folds[k] < kNoveltyFolds);
    of_region[samples.regions[static_cast<std::size_t>(rows[k])]].insert(folds[k]);
  }
  for (const auto& [region, used] : of_region) {
    CHECK(used.size() == 1);
  }
  const Indices few = {0, 1, 2, 3, 4, 5, 6};
  const Indices by_sample = novelty_folds(samples, few);
  CHECK(by_sample == Indices{0, 1, 2, 3, 4, 0, 1});
}

TEST_CASE("novelty folds: as many regions as samples are dealt out in their order") {
  // Eighty thousand of them: a search through all regions for each sample would be felt here.
  constexpr Index kSamples = 80000;
  SampleSet samples;
  Indices rows;
  for (Index i = 0; i < kSamples; ++i) {
    samples.regions.push_back(kSamples - i);
    rows.push_back(i);
  }
  const Indices folds = novelty_folds(samples, rows);
  bool in_turn = true;
  for (Index i = 0; i < kSamples; ++i) {
    in_turn = in_turn && folds[static_cast<std::size_t>(i)] == (kSamples - 1 - i) % kNoveltyFolds;
  }
  CHECK(in_turn);
}

TEST_CASE("novelty folds: seen and held out are all positions, once") {
  const FoldRows rows = rows_of_fold({0, 1, 0, 2}, 0);
  CHECK(rows.held_out == Indices{0, 2});
  CHECK(rows.seen == Indices{1, 3});
}
