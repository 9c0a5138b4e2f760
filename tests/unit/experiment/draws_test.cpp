#include "experiment/draws.hpp"

#include <doctest/doctest.h>

#include "parsimap/experiment/run_experiment.hpp"

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
  CHECK(make_draw(data, loaded, 3)->train.pixels == split_training(*loaded, 6, 3).train.pixels);
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

}  // namespace parsimap::test
