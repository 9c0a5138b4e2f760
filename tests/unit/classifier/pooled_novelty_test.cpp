#include "classifier/pooled_novelty.hpp"

#include <doctest/doctest.h>

#include "parsimap/samples/scaling.hpp"

#include "support/toy_samples.hpp"

using namespace parsimap;

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
