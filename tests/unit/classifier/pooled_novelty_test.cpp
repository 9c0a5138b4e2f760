#include "classifier/pooled_novelty.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "parsimap/samples/sample_set.hpp"

#include "support/toy_samples.hpp"

namespace parsimap::test {

TEST_CASE("pooled novelty: a class of one sample is known around its mean and nowhere else") {
  const SampleSet samples = toy::three_classes(40, 2);
  const Matrix spectra = fit_scaling(samples.spectra, ScalingRule::global).apply(samples.spectra);
  GaussianRule rule;
  rule.least_variance = 1e-8;
  const PooledNovelty pooled = pooled_novelty(spectra, samples, rule, 2);
  CHECK(pooled.distances.size() == samples.size());
  CHECK((pooled.distances.array() >= 0).all());
  CHECK(pooled.distances == pooled_novelty(spectra, samples, rule, 1).distances);
  const ClassNovelty novelty = novelty_about_mean(pooled, spectra.topRows(1));
  CHECK(novelty.gaussian.mean == spectra.row(0).transpose());
  const Vector distances = squared_mahalanobis(novelty.gaussian, spectra);
  CHECK(tail_probability(novelty.tail, distances(0)) == 1);
  Matrix far = spectra.topRows(1);
  far(0, 5) += 1000;
  CHECK(tail_probability(novelty.tail, squared_mahalanobis(novelty.gaussian, far)(0)) < 0.05);
}

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

}  // namespace parsimap::test
