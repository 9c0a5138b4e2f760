#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "parsimap/core/error.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/run_experiment.hpp"

#include "unit/core/temporary_folder.hpp"
#include "unit/experiment/toy_experiment.hpp"

namespace parsimap::test {

namespace {

// Two data sets x three repeats x two methods.
ExperimentSpec toy_spec() {
  ExperimentSpec spec;
  spec.title = "parts";
  spec.data = {toy::loaded_data("hills"), toy::loaded_data("plains")};
  spec.methods = {toy::method(ExperimentKernel::hdda, ExperimentCriterion::leave_one_out),
                  toy::method(ExperimentKernel::gaussian, ExperimentCriterion::leave_one_out)};
  spec.repeats = 3;
  return spec;
}

// What the parts of an experiment have left, in the order of the record.
struct Parts {
  std::vector<ExperimentRun> runs;
  std::vector<DataDescription> descriptions;
};

Parts toy_parts() {
  const ExperimentSpec spec = toy_spec();
  Parts parts;
  for (const DataSpec& data : spec.data) {
    parts.descriptions.push_back({data.name, 2, {}, 3, {}});
    for (Index repeat = 0; repeat < spec.repeats; ++repeat) {
      for (const Method& method : spec.methods) {
        parts.runs.push_back({data.name, name_of(method), repeat, 1, {}, {}});
        parts.runs.back().tests.push_back({"near", 1, std::nullopt, 0.5, std::nullopt});
      }
    }
  }
  return parts;
}

std::string refusal_of_parts(const std::function<void(Parts&)>& change) {
  Parts parts = toy_parts();
  change(parts);
  return message_of([&] { joined_record(toy_spec(), "{}", parts.descriptions, parts.runs); });
}

}  // namespace

TEST_CASE("runs are counted in the order data, repeat, method") {
  const ExperimentSpec spec = toy_spec();
  CHECK(run_count(spec) == 12);
  CHECK(first_run_of_data(spec, 1) == 6);
  const Parts parts = toy_parts();
  for (std::size_t i = 0; i < parts.runs.size(); ++i) {
    CHECK(run_place(spec, parts.runs[i]) == static_cast<Index>(i));
  }
  ExperimentRun foreign = parts.runs[0];
  foreign.repeat = 3;
  CHECK_FALSE(run_place(spec, foreign));
  foreign = parts.runs[0];
  foreign.data = "sea";
  CHECK_FALSE(run_place(spec, foreign));
  foreign = parts.runs[0];
  foreign.method.kernel = "pca";
  CHECK_FALSE(run_place(spec, foreign));
}

TEST_CASE("a joined record has its parts in order, whatever order they came in") {
  Parts parts = toy_parts();
  std::reverse(parts.runs.begin(), parts.runs.end());
  std::reverse(parts.descriptions.begin(), parts.descriptions.end());
  const ExperimentRecord record = joined_record(toy_spec(), "{}", parts.descriptions, parts.runs);
  CHECK(record.title == "parts");
  CHECK(record.configuration == "{}");
  CHECK(record.data[0].name == "hills");
  CHECK(record.summary.size() == 4);
  for (std::size_t i = 0; i < record.runs.size(); ++i) {
    CHECK(run_place(toy_spec(), record.runs[i]) == static_cast<Index>(i));
  }
}

TEST_CASE("parts that do not make the whole are refused") {
  CHECK(refusal_of_parts([](Parts& parts) { parts.runs.pop_back(); }) == "1 of 12 runs are missing");
  CHECK(refusal_of_parts([](Parts& parts) { parts.runs[3] = parts.runs[2]; }) ==
        "data set 'hills': repeat 1 of hdda, leave-one-out, fixed:2 is there twice");
  CHECK(refusal_of_parts([](Parts& parts) { parts.runs[3].repeat = 7; }).ends_with("is no run of the experiment"));
  CHECK(refusal_of_parts([](Parts& parts) { parts.runs[3].tests[0].name = "far"; }) ==
        "data set 'hills': repeat 1 of gaussian, leave-one-out has other classes or test sets than data set 'hills': "
        "repeat 0 of hdda, leave-one-out, fixed:2");
  CHECK(refusal_of_parts([](Parts& parts) { parts.descriptions.pop_back(); }) ==
        "the description of the data set 'plains' is missing");
  CHECK(refusal_of_parts([](Parts& parts) { parts.descriptions.push_back(parts.descriptions[0]); }) ==
        "there are descriptions of 3 data sets, and the experiment has 2");
}

namespace {

// The figure of the paper: the first eigenvector of the covariance is (1, -1) / sqrt 2.
KernelShapeSpec paper_shape() {
  KernelShapeSpec shape;
  shape.covariance = {0.6, -0.2, -0.2, 0.6};
  shape.points = 5;
  shape.half_width = 2;
  shape.surfaces = {{"a", ExperimentKernel::gaussian, {0.5}},
                    {"b", ExperimentKernel::pca, {1.5}},
                    {"c", ExperimentKernel::hdda, {1.5, 0.5}},
                    {"d", ExperimentKernel::hdda, {1.5, 0.25, 0.5}}};
  return shape;
}

}  // namespace

TEST_CASE("kernel shape: values of the closed form on the grid") {
  const std::vector<KernelSurface> surfaces = kernel_surfaces(paper_shape());
  REQUIRE(surfaces.size() == 4);
  for (Index row = 0; row < 5; ++row) {
    for (Index column = 0; column < 5; ++column) {
      const double x1 = -2.0 + static_cast<double>(column);
      const double x2 = -2.0 + static_cast<double>(row);
      const double first = (x1 - x2) * (x1 - x2) / 2;
      const double second = (x1 + x2) * (x1 + x2) / 2;
      const double square = x1 * x1 + x2 * x2;
      CHECK(surfaces[0].values(row, column) == doctest::Approx(std::exp(-0.5 * square / 0.5)));
      CHECK(surfaces[1].values(row, column) == doctest::Approx(std::exp(-0.5 * first / 1.5)));
      CHECK(surfaces[2].values(row, column) == doctest::Approx(std::exp(-0.5 * (first / 1.5 + square / 0.5))));
      CHECK(surfaces[3].values(row, column) ==
            doctest::Approx(std::exp(-0.5 * (first / 1.5 + second / 0.25 + square / 0.5))));
    }
  }
}

TEST_CASE("kernel shape: surfaces carry their titles, extent and contour") {
  KernelShapeSpec shape = paper_shape();
  shape.contour = 0.6;
  const std::vector<KernelSurface> surfaces = kernel_surfaces(shape);
  CHECK(surfaces[1].title == "b");
  CHECK(surfaces[1].half_width == 2);
  CHECK(surfaces[1].contour == 0.6);
}

}  // namespace parsimap::test
