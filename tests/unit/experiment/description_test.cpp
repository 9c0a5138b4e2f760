#include "experiment/description.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "unit/core/temporary_folder.hpp"
#include "unit/experiment/toy_experiment.hpp"

using namespace parsimap;

namespace {

std::vector<Method> methods_of(const std::vector<std::string>& rules) {
  std::vector<Method> methods = {toy::method(ExperimentKernel::gaussian, ExperimentCriterion::leave_one_out, "bic")};
  for (const std::string& rule : rules) {
    methods.push_back(toy::method(ExperimentKernel::hdda, ExperimentCriterion::leave_one_out, rule));
    methods.push_back(toy::method(ExperimentKernel::pca, ExperimentCriterion::radius_margin, rule));
  }
  return methods;
}

std::string refusal(const Dataset& dataset, const std::vector<std::string>& rules, const std::vector<int>& classes) {
  return message_of([&] { check_draw(dataset, classes, methods_of(rules), ScalingRule::global); });
}

}  // namespace

TEST_CASE("description: mean and deviation of raw spectra, eigenvalues of scaled ones") {
  Dataset dataset = toy::three_class_dataset();
  dataset.wavelengths = {1, 2, 3};
  const DataDescription description =
      describe("hills", dataset, methods_of({"scree:0.2", "bic"}), ScalingRule::standardise);
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
  const DataDescription description = describe("hills", toy::three_class_dataset(),
                                               methods_of({"scree:0.2", "bic", "scree:0.01"}), ScalingRule::global);
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
  const DataDescription description = describe("hills", dataset, methods_of({}), ScalingRule::none);
  CHECK(description.classes[0].eigenvalues.size() == 60);
  CHECK(description.classes[0].scree.empty());
}

TEST_CASE("description: what methods need of a draw") {
  const Dataset good = toy::three_class_dataset();
  CHECK(refusal(good, {"fixed:9"}, {0, 1, 2}) == "nothing was thrown");
  CHECK(refusal(good, {"fixed:3", "fixed:10"}, {1}) ==
        "class 'b': the dimension fixed:10 must be smaller than the rank of the class covariance (10)");
  const Dataset few = split_training(good, 4, 1);
  CHECK(refusal(few, {"fixed:2"}, {0}) == "nothing was thrown");
  CHECK(refusal(few, {"fixed:3"}, {0}) ==
        "class 'a': the dimension fixed:3 must be smaller than the rank of the class covariance (3)");

  Dataset one = good;
  one.train.classes.resize(1);
  CHECK(refusal(one, {}, {0}) == "the training samples have one class only (a); at least two are needed");
  Dataset single = good;
  single.train.classes.push_back({9, "rare", {}});
  CHECK(refusal(single, {}, {0}) == "class 'rare' has no training sample; at least 1 is needed");
  single.train.labels[0] = 3;
  CHECK(refusal(single, {}, {0}) == "nothing was thrown");
  Dataset untested = good;
  untested.tests[1].samples = subset(untested.tests[1].samples, {});
  CHECK(refusal(untested, {}, {0}) == "the test set 'far' has no samples");
}
