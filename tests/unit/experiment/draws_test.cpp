#include "experiment/draws.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/simulation/simulation.hpp"

#include "support/toy_samples.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/experiment/toy_experiment.hpp"

namespace parsimap::test {

namespace {

std::vector<Method> methods_of(const std::vector<std::string>& rules) {
  std::vector<Method> methods = {toy::method(ExperimentKernel::gaussian, ExperimentCriterion::leave_one_out, "bic")};
  for (const std::string& rule : rules) {
    methods.push_back(toy::method(ExperimentKernel::hdda, ExperimentCriterion::leave_one_out, rule));
    methods.push_back(toy::method(ExperimentKernel::pca, ExperimentCriterion::radius_margin, rule));
  }
  return methods;
}

std::string refusal_of_draw(const Dataset& dataset, const std::vector<std::string>& rules,
                            const std::vector<int>& classes) {
  return message_of([&] { check_draw(dataset, classes, methods_of(rules), ScalingRule::global); });
}

}  // namespace

TEST_CASE("draws: loaded samples are shared where nothing is random") {
  const auto loaded = std::make_shared<const Dataset>(toy::three_class_dataset());
  DataSpec data = toy::loaded_data("hills");
  CHECK(make_draw(data, loaded, 3) == loaded);
  data.train_per_class = 6;
  CHECK(make_draw(data, loaded, 3)->train.places == split_training(*loaded, 6, 3).train.places);
}

TEST_CASE("draws: simulated samples may be split too") {
  DataSpec data;
  data.source = toy::small_simulation();
  CHECK(make_draw(data, nullptr, 3)->train.spectra == draw_simulation(toy::small_simulation(), 3).train.spectra);
  data.train_per_class = 8;
  const auto draw = make_draw(data, nullptr, 3);
  CHECK(draw->train.size() == 24);
  CHECK(draw->tests.front().samples.size() == 90 - 24);
  CHECK(draw->tests.back().samples.size() == 510);
}

TEST_CASE("draws: made once and dropped after the last run") {
  DrawSlot slot;
  slot.add_run();
  slot.add_run();
  int made = 0;
  const auto make = [&] {
    ++made;
    return std::make_shared<const Dataset>(toy::three_class_dataset());
  };
  std::weak_ptr<const Dataset> draw = slot.take(make);
  CHECK(slot.take(make) == draw.lock());
  CHECK(made == 1);
  slot.finish_run();
  CHECK(!draw.expired());
  slot.finish_run();
  CHECK(draw.expired());
}

TEST_CASE("draws: the rules of the methods, each once, and none of kernels without a subspace") {
  const std::vector<DimensionRule> rules = dimension_rules(methods_of({"scree:0.2", "bic", "scree:0.2"}));
  REQUIRE(rules.size() == 2);
  CHECK(to_string(rules[0]) == "scree:0.2");
  CHECK(to_string(rules[1]) == "bic");
  CHECK(dimension_rules(methods_of({})).empty());
}

TEST_CASE("draws: what methods need of one") {
  const Dataset good = toy::three_class_dataset();
  CHECK(refusal_of_draw(good, {"fixed:9"}, {0, 1, 2}) == "nothing was thrown");
  CHECK(refusal_of_draw(good, {"fixed:3", "fixed:10"}, {1}) ==
        "class 'b': the dimension fixed:10 must be smaller than the rank of the class covariance (10)");
  const Dataset few = split_training(good, 4, 1);
  CHECK(refusal_of_draw(few, {"fixed:2"}, {0}) == "nothing was thrown");
  CHECK(refusal_of_draw(few, {"fixed:3"}, {0}) ==
        "class 'a': the dimension fixed:3 must be smaller than the rank of the class covariance (3)");

  Dataset one = good;
  one.train.classes.resize(1);
  CHECK(refusal_of_draw(one, {}, {0}) == "the training samples have one class only (a); at least two are needed");
  Dataset single = good;
  single.train.classes.push_back({9, "rare", {}});
  CHECK(refusal_of_draw(single, {}, {0}) == "class 'rare' has no training sample; at least 1 is needed");
  single.train.labels[0] = 3;
  CHECK(refusal_of_draw(single, {}, {0}) == "nothing was thrown");
  Dataset untested = good;
  untested.tests[1].samples = subset(untested.tests[1].samples, {});
  CHECK(refusal_of_draw(untested, {}, {0}) == "the test set 'far' has no samples");
}

TEST_CASE("a run has the shape of the draw that it was made on") {
  const Dataset draw = toy::three_class_dataset();
  const RunShape shape = shape_of(draw, {2, 0});
  CHECK(shape.tests == std::vector<std::string>{"near", "far"});
  CHECK(shape.classes == std::vector<std::string>{"c", "a"});
  ExperimentRun run;
  run.tests.resize(2);
  run.tests[0].name = "near";
  run.tests[1].name = "far";
  run.classes.resize(2);
  run.classes[0].name = "c";
  run.classes[1].name = "a";
  CHECK(shape_of(run) == shape);
  run.classes[1].name = "b";
  CHECK_FALSE(shape_of(run) == shape);
}

TEST_CASE("a run is called by its data set, repeat and method") {
  ExperimentRun run;
  run.data = "hills";
  run.repeat = 3;
  run.method = {"hdda", "leave-one-out", "fixed:2"};
  CHECK(run_title(run) == "data set 'hills': repeat 3 of hdda, leave-one-out, fixed:2");
}

TEST_CASE("dataset: a simulation is split into training and test samples, each pixel once") {
  const SimulatedData data = toy::small_simulation();
  const Dataset draw = draw_simulation(data, 7);
  REQUIRE(draw.tests.size() == 1);
  CHECK(draw.tests[0].name == "test");
  CHECK(draw.train.size() == 90);
  CHECK(draw.tests[0].samples.size() == 510);
  CHECK(draw.wavelengths.size() == 8);
  CHECK(draw.wavelengths.back() == 2500);
  std::vector<std::int64_t> pixels = pixels_of(draw.train.places);
  CHECK(std::is_sorted(pixels.begin(), pixels.end()));
  const std::vector<std::int64_t> tested = pixels_of(draw.tests[0].samples.places);
  pixels.insert(pixels.end(), tested.begin(), tested.end());
  std::sort(pixels.begin(), pixels.end());
  std::vector<std::int64_t> all(600);
  std::iota(all.begin(), all.end(), 0);
  CHECK(pixels == all);
}

TEST_CASE("dataset: samples of a simulation are the reflectances and labels of its pixels") {
  SimulatedData data = toy::small_simulation();
  const Dataset draw = draw_simulation(data, 7);
  data.scene.seed = 7;
  const Simulation simulation(data.scene);
  const Matrix reflectance = simulation.reflectance({0, 0, 30, 20});
  std::vector<std::uint16_t> codes;
  simulation.reference({0, 0, 30, 20}, codes);
  CHECK(draw.train.classes == simulation.class_table());
  for (Index i = 0; i < draw.train.size(); ++i) {
    const std::int64_t pixel = draw.train.places[static_cast<std::size_t>(i)].pixel;
    REQUIRE(draw.train.spectra.row(i) == reflectance.row(pixel));
    REQUIRE(draw.train.labels[static_cast<std::size_t>(i)] == codes[static_cast<std::size_t>(pixel)] - 1);
  }
  // Noise as strong as the signal is not cut off at 0.
  CHECK(draw.train.spectra.minCoeff() < -0.1);
}

TEST_CASE("dataset: the seed decides on scene and split, whatever the seed of the specification") {
  SimulatedData data = toy::small_simulation();
  const Dataset first = draw_simulation(data, 7);
  data.scene.seed = 99;
  CHECK(draw_simulation(data, 7).train.spectra == first.train.spectra);
  const Dataset other = draw_simulation(data, 8);
  CHECK(other.train.places != first.train.places);
  CHECK(other.train.spectra != first.train.spectra);
}

TEST_CASE("dataset: a split keeps so many of every class and tests on the others") {
  const Dataset dataset = toy::three_class_dataset();
  const Dataset split = split_training(dataset, 6, 3);
  CHECK(class_counts(split.train) == std::vector<Index>{6, 6, 6});
  REQUIRE(split.tests.size() == 3);
  CHECK(split.tests[0].name == "rest");
  CHECK(split.tests[1].name == "near");
  CHECK(split.tests[2].samples.spectra == dataset.tests[1].samples.spectra);
  CHECK(class_counts(split.tests[0].samples) == std::vector<Index>{14, 14, 14});
  const std::vector<std::int64_t> trained = pixels_of(split.train.places);
  std::set<std::int64_t> pixels(trained.begin(), trained.end());
  const std::vector<std::int64_t> tested = pixels_of(split.tests[0].samples.places);
  pixels.insert(tested.begin(), tested.end());
  CHECK(pixels.size() == 60);
  CHECK(split_training(dataset, 6, 3).train.places == split.train.places);
  CHECK(split_training(dataset, 6, 4).train.places != split.train.places);
}

TEST_CASE("dataset: a split needs samples of every class to test on") {
  const Dataset dataset = toy::three_class_dataset();
  CHECK(class_counts(split_training(dataset, 19, 3).tests[0].samples) == std::vector<Index>{1, 1, 1});
  CHECK(message_of([&] { split_training(dataset, 20, 3); }) ==
        "class 'a' has 20 training samples; more than train_per_class (20) are needed, since the others are the test "
        "set 'rest'");
}

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

}  // namespace parsimap::test
