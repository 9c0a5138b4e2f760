#include "parsimap/experiment/sample_description.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "parsimap/hdda/class_statistics.hpp"

#include "support/toy_samples.hpp"
#include "unit/experiment/toy_experiment.hpp"

using namespace parsimap;

namespace {

DataDescription describe(const Dataset& dataset, const std::vector<std::string>& rules, ScalingRule scaling) {
  std::vector<DimensionRule> parsed;
  for (const std::string& rule : rules) {
    parsed.push_back(parse_dimension_rule(rule));
  }
  return describe_samples("hills", dataset.train, dataset.wavelengths, parsed, scaling);
}

}  // namespace

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

TEST_CASE("description: mean and deviation of raw spectra, eigenvalues of scaled ones") {
  Dataset dataset = toy::three_class_dataset();
  dataset.wavelengths = {1, 2, 3};
  const DataDescription description = describe(dataset, {"scree:0.2", "bic"}, ScalingRule::standardise);
  CHECK(description.name == "hills");
  CHECK(description.bands == 10);
  CHECK(description.training_samples == 60);
  CHECK(description.wavelengths == dataset.wavelengths);
  REQUIRE(description.classes.size() == 3);
  const ClassDescription& b = description.classes[1];
  CHECK(b.name == "b");
  CHECK(b.samples == 20);

  Matrix spectra(20, 10);
  for (Index i = 0; i < 20; ++i) {
    spectra.row(i) = dataset.train.spectra.row(3 * i + 1);
  }
  const Eigen::RowVectorXd mean = spectra.colwise().mean();
  const Matrix centred = spectra.rowwise() - mean;
  for (Index band = 0; band < 10; ++band) {
    CHECK(b.mean[static_cast<std::size_t>(band)] == doctest::Approx(mean(band)));
    CHECK(b.deviation[static_cast<std::size_t>(band)] ==
          doctest::Approx(std::sqrt(centred.col(band).squaredNorm() / 20)));
  }
  const Scaling scaling = fit_scaling(dataset.train.spectra, ScalingRule::standardise);
  double trace = 0;
  for (Index band = 0; band < 10; ++band) {
    trace += centred.col(band).squaredNorm() / 20 / (scaling.scale(band) * scaling.scale(band));
  }
  double sum = 0;
  for (const double eigenvalue : b.eigenvalues) {
    sum += eigenvalue;
  }
  CHECK(b.eigenvalues.size() == 10);
  CHECK(sum == doctest::Approx(trace));
}

TEST_CASE("description: one scree record per rule, with the threshold of scree rules") {
  const DataDescription description =
      describe(toy::three_class_dataset(), {"scree:0.2", "bic", "scree:0.01"}, ScalingRule::global);
  const ClassDescription& a = description.classes[0];
  REQUIRE(a.scree.size() == 3);
  CHECK(a.scree[0].dimension == "scree:0.2");
  double largest = 0;
  Index last = 0;
  for (std::size_t i = 0; i + 1 < a.eigenvalues.size(); ++i) {
    largest = std::max(largest, a.eigenvalues[i] - a.eigenvalues[i + 1]);
  }
  REQUIRE(a.scree[0].threshold);
  CHECK(*a.scree[0].threshold == doctest::Approx(0.2 * largest));
  for (std::size_t i = 0; i + 1 < a.eigenvalues.size(); ++i) {
    if (a.eigenvalues[i] - a.eigenvalues[i + 1] >= *a.scree[2].threshold) {
      last = static_cast<Index>(i) + 1;
    }
  }
  CHECK(a.scree[2].chosen == last);
  CHECK(a.scree[1].dimension == "bic");
  CHECK(!a.scree[1].threshold);
}

TEST_CASE("description: only the first eigenvalues are kept") {
  Dataset dataset = toy::three_class_dataset(100);
  dataset.train.spectra = Random(4).normal_matrix(300, 80);
  const DataDescription description = describe(dataset, {}, ScalingRule::none);
  CHECK(description.classes[0].eigenvalues.size() == 60);
  CHECK(description.classes[0].scree.empty());
}
