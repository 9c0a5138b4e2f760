#include "parsimap/experiment/experiment_spec.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"
#include "unit/experiment/toy_experiment.hpp"

using namespace parsimap;

namespace {

ExperimentSpec valid_spec() {
  ExperimentSpec spec;
  spec.data = {toy::loaded_data("hills"), toy::loaded_data("drawn")};
  spec.data[1].source = toy::small_simulation();
  spec.data[1].train_per_class = 20;
  spec.methods = {{ExperimentKernel::hdda, ExperimentCriterion::radius_margin, {}},
                  {ExperimentKernel::gaussian, ExperimentCriterion::cross_validation, {}}};
  spec.kernel_shape.emplace();
  spec.kernel_shape->surfaces = {{"G", ExperimentKernel::gaussian, {0.5}},
                                 {"P", ExperimentKernel::pca, {0.5, 2}},
                                 {"H", ExperimentKernel::hdda, {0.5, 2}}};
  spec.published = {{"paper", "seconds", "hills", "far", "", name_of(spec.methods[0]), 1},
                    {"paper", "dimension", "drawn", "", "soil", name_of(spec.methods[0]), 1}};
  return spec;
}

template <typename Change>
std::string refusal_of_spec(const Change& change) {
  ExperimentSpec spec = valid_spec();
  change(spec);
  try {
    check_experiment(spec);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

SimulatedData& simulated(ExperimentSpec& spec) { return std::get<SimulatedData>(spec.data[1].source); }

}  // namespace

TEST_CASE("experiment spec: names of kernels and criteria") {
  for (const std::string name : {"hdda", "pca", "gaussian", "mahalanobis", "diagonal-mahalanobis", "hdda-polynomial:2",
                                 "hdda-polynomial:3", "hdda-sum"}) {
    CHECK(to_string(parse_experiment_kernel(name)) == name);
  }
  for (const std::string name : {"leave-one-out", "radius-margin", "cross-validation"}) {
    CHECK(to_string(parse_experiment_criterion(name)) == name);
  }
  CHECK(message_of([] { parse_experiment_kernel("rbf"); }) ==
        "kernel 'rbf' is unknown; it must be hdda, pca, gaussian, mahalanobis, diagonal-mahalanobis, "
        "hdda-polynomial:2, hdda-polynomial:3 or hdda-sum");
  CHECK_THROWS_AS(parse_experiment_kernel("hdda-polynomial:4"), ConfigError);
  CHECK(message_of([] { parse_experiment_criterion("cv"); }) ==
        "criterion 'cv' is unknown; it must be leave-one-out, radius-margin or cross-validation");
}

TEST_CASE("experiment spec: a method has a dimension where its kernel has a subspace") {
  const DimensionRule rule = parse_dimension_rule("scree:0.2");
  CHECK(name_of({ExperimentKernel::pca, ExperimentCriterion::radius_margin, rule}) ==
        MethodName{"pca", "radius-margin", "scree:0.2"});
  for (const ExperimentKernel kernel :
       {ExperimentKernel::hdda_quadratic, ExperimentKernel::hdda_cubic, ExperimentKernel::hdda_sum}) {
    CHECK(name_of({kernel, ExperimentCriterion::leave_one_out, rule}).dimension == "scree:0.2");
  }
  for (const ExperimentKernel kernel :
       {ExperimentKernel::gaussian, ExperimentKernel::mahalanobis, ExperimentKernel::diagonal_mahalanobis}) {
    CHECK(name_of({kernel, ExperimentCriterion::leave_one_out, rule}).dimension.empty());
  }
}

TEST_CASE("experiment spec: the kernels that are not Gaussian ones") {
  CHECK(metric_kernel(ExperimentKernel::hdda_quadratic)->degree == 2);
  CHECK(metric_kernel(ExperimentKernel::hdda_cubic)->degree == 3);
  CHECK(metric_kernel(ExperimentKernel::hdda_cubic)->form == MetricKernel::Form::polynomial);
  CHECK(metric_kernel(ExperimentKernel::hdda_sum)->form == MetricKernel::Form::sum);
  for (const ExperimentKernel kernel :
       {ExperimentKernel::hdda, ExperimentKernel::pca, ExperimentKernel::gaussian, ExperimentKernel::mahalanobis}) {
    CHECK_FALSE(metric_kernel(kernel));
  }
}

TEST_CASE("experiment spec: names of test sets") {
  const ExperimentSpec spec = valid_spec();
  CHECK(test_names(spec.data[0]) == std::vector<std::string>{"near", "far"});
  CHECK(test_names(spec.data[1]) == std::vector<std::string>{"rest", "test"});
  DataSpec tables;
  tables.source = TableData{};
  CHECK(test_names(tables) == std::vector<std::string>{"test"});
}

TEST_CASE("experiment spec: valid ones") {
  CHECK(refusal_of_spec([](ExperimentSpec&) {}) == "accepted");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) { spec.kernel_shape.reset(); }) == "accepted");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) {
          spec.data.clear();
          spec.methods.clear();
          spec.published.clear();
        }) == "accepted");
}

TEST_CASE("experiment spec: contradictions between data and methods") {
  CHECK(refusal_of_spec([](ExperimentSpec& spec) {
          spec.data.clear();
          spec.kernel_shape.reset();
        }) == "/data is empty; it must have a data set where there is no kernel_shape");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) { spec.methods.clear(); }) ==
        "/methods is empty; it must have a method for the data sets");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) { spec.methods.push_back(spec.methods[0]); }) ==
        "/methods has hdda, radius-margin, scree:0.01 twice; methods must differ");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) {
          spec.methods[1] = {ExperimentKernel::gaussian, ExperimentCriterion::cross_validation, {}};
          spec.methods.push_back(
              {ExperimentKernel::gaussian, ExperimentCriterion::cross_validation, parse_dimension_rule("bic")});
        }) == "/methods has gaussian, cross-validation twice; methods must differ");
  CHECK(refusal_of_spec(
            [](ExperimentSpec& spec) { spec.methods[0].criterion = ExperimentCriterion::cross_validation; }) ==
        "/methods has the kernel hdda with the criterion cross-validation; a grid is searched for kernels without a "
        "subspace only");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) { spec.methods[0].kernel = ExperimentKernel::hdda_sum; }) ==
        "/methods has the kernel hdda-sum with the criterion radius-margin; polynomials and sums are chosen by "
        "leave-one-out alone");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) {
          spec.methods[1] = {ExperimentKernel::hdda_cubic, ExperimentCriterion::cross_validation, {}};
        }) ==
        "/methods has the kernel hdda-polynomial:3 with the criterion cross-validation; polynomials and sums are "
        "chosen by leave-one-out alone");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) {
          spec.methods[1] = {ExperimentKernel::hdda_sum, ExperimentCriterion::leave_one_out, {}};
        }) == "accepted");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) { spec.data[1].name = "hills"; }) ==
        "/data/1/name is 'hills' again; names of data sets must differ");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) {
          spec.data[0].classes = {"a", "b", "a"};
        }) == "/data/0/classes/2 is 'a' again; classes must differ");
}

TEST_CASE("experiment spec: test sets have different names") {
  CHECK(refusal_of_spec([](ExperimentSpec& spec) {
          std::get<SceneData>(spec.data[0].source).tests[1].name = "near";
        }) == "/data/0 has two test sets called 'near'; their names must differ");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) {
          spec.data[0].train_per_class = 5;
          std::get<SceneData>(spec.data[0].source).tests[1].name = "rest";
        }) == "/data/0 has two test sets called 'rest'; their names must differ");
}

TEST_CASE("experiment spec: every pixel of a simulated scene is a sample") {
  CHECK(refusal_of_spec([](ExperimentSpec& spec) { simulated(spec).test = 500; }) ==
        "/data/1/simulated has train 90 and test 500; both must be at least 1, and their sum width * height (600)");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) { simulated(spec).scene.layout.gap = 2; }) ==
        "/data/1/simulated/scene/layout/gap is 2; it must be 0 here, where every pixel is a sample");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) {
          simulated(spec).scene.layout.kind = "map";
          simulated(spec).scene.layout.map.assign(600, 1);
          simulated(spec).scene.layout.map[7] = 0;
        }) == "/data/1/simulated/scene/layout/map/7 is 0; it must be a class here, where every pixel is a sample");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) {
          simulated(spec).scene.classes[1].dimension = 8;
        }).rfind("/data/1/simulated/scene/classes/1/dimension is 8", 0) == 0);
}

TEST_CASE("experiment spec: kernel shapes lie in the plane") {
  const auto surface = [](std::size_t index, std::vector<double> values) {
    return refusal_of_spec(
        [&](ExperimentSpec& spec) { spec.kernel_shape->surfaces[index].sigma_squared = std::move(values); });
  };
  CHECK(surface(0, {1, 2}) ==
        "/kernel_shape/surfaces/0/sigma_squared has 2 values; the kernel gaussian has 1 in the plane");
  CHECK(surface(1, {}) ==
        "/kernel_shape/surfaces/1/sigma_squared has 0 values; the kernel pca has 1 or 2 in the plane");
  CHECK(surface(2, {1}) ==
        "/kernel_shape/surfaces/2/sigma_squared has 1 values; the kernel hdda has 2 or 3 in the plane");
  CHECK(surface(2, {1, 2, 3}) == "accepted");
  for (const std::array<double, 4>& covariance :
       {std::array<double, 4>{1, 0.5, 0.4, 1}, std::array<double, 4>{1, 1, 1, 1},
        std::array<double, 4>{-1, 0, 0, -1}}) {
    CHECK(refusal_of_spec([&](ExperimentSpec& spec) { spec.kernel_shape->covariance = covariance; }) ==
          "/kernel_shape/covariance must be symmetric and positive definite");
  }
}

TEST_CASE("experiment spec: published values are of something that is measured") {
  CHECK(refusal_of_spec([](ExperimentSpec& spec) { spec.published[0].data = "sea"; }) ==
        "/published/0/data is 'sea', which is none of the data sets");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) { spec.published[1].test = "near"; }) ==
        "/published/1/test is 'near'; the data set drawn has rest or test");
  CHECK(refusal_of_spec([](ExperimentSpec& spec) { spec.published[0].method.dimension = "bic"; }) ==
        "/published/0 is of the method hdda, radius-margin, bic, which is none of the methods");
}
