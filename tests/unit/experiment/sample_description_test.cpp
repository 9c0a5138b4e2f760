#include "parsimap/experiment/sample_description.hpp"

#include <doctest/doctest.h>

#include "parsimap/hdda/class_statistics.hpp"

#include "support/toy_samples.hpp"

using namespace parsimap;

TEST_CASE("every class has its spectra as they are, and the rule's choice on scaled ones") {
  const SampleSet samples = toy::three_classes(15, 3);
  const DimensionRule rule{DimensionMethod::scree, 0.1};
  const DataDescription description = describe_samples("hills", samples, {}, {rule}, ScalingRule::global);
  CHECK(description.name == "hills");
  CHECK(description.training_samples == 45);
  REQUIRE(description.classes.size() == 3);
  const Matrix raw = samples.spectra(class_rows(samples, 2), Eigen::all);
  const ClassDescription& c = description.classes[2];
  CHECK(c.samples == 15);
  CHECK(c.mean[3] == doctest::Approx(raw.col(3).mean()));
  const ClassStatistics statistics = class_statistics(
      fit_scaling(samples.spectra, ScalingRule::global).apply(samples.spectra)(class_rows(samples, 2), Eigen::all));
  REQUIRE(c.scree.size() == 1);
  CHECK(c.scree[0].dimension == "scree:0.1");
  CHECK(c.scree[0].chosen == intrinsic_dimension(statistics, rule));
  CHECK(c.eigenvalues[0] == doctest::Approx(statistics.eigenvalues(0)));
}
