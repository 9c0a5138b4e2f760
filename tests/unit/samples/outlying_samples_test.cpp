#include "parsimap/samples/outlying_samples.hpp"

#include <doctest/doctest.h>

#include "support/toy_samples.hpp"

using namespace parsimap;

TEST_CASE("outlying samples: bad values are taken out, but not all samples of a class") {
  SampleSet samples = toy::three_classes(20, 7);
  CHECK(outlying_samples(samples).empty());
  samples.spectra(4, 3) = 1e12;
  samples.spectra(9, 0) = -1e11;
  const std::vector<Outlier> outliers = outlying_samples(samples);
  REQUIRE(outliers.size() == 2);
  CHECK(outliers[0].sample == 4);
  CHECK(outliers[1].sample == 9);
  const SampleSet left = without_outliers(samples, outliers);
  CHECK(left.size() == 58);
  CHECK(left.spectra.row(4) == samples.spectra.row(5));
  CHECK(left.labels[8] == samples.labels[10]);

  samples.classes.push_back({7, "d", {}});
  samples.labels[4] = 3;
  const std::vector<Outlier> others = outlying_samples(samples);
  REQUIRE(others.size() == 1);
  CHECK(others[0].sample == 9);
}
