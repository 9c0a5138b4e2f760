#include "parsimap/experiment/experiment_record.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "parsimap/core/error.hpp"
#include "parsimap/experiment/run_experiment.hpp"

#include "support/example_experiment.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/experiment/toy_experiment.hpp"

namespace parsimap::test {

namespace {

const MethodName kGaussian = {"gaussian", "radius-margin", ""};

// Two repeats of one method with two classes and two test sets; the second repeat was not trained on all classes.
ExperimentRecord two_repeats() {
  ExperimentRecord record;
  for (Index repeat = 0; repeat < 2; ++repeat) {
    const double more = 0.1 * static_cast<double>(repeat);
    ExperimentRun run{"hills", kGaussian, repeat, 1, {}, {}};
    run.tests = {{"all", 10, {}, 0.6 + more, {}}, {"disjoint", 10, {}, 0.4 + more, {}}};
    if (repeat == 0) {
      run.tests[0].overall_accuracy = 0.5;
    }
    for (const std::string name : {"one", "two"}) {
      ClassRun trained;
      trained.name = name;
      trained.dimension = 4 + repeat;
      trained.criterion_value = 70 + 2 * static_cast<double>(repeat);
      trained.seconds = 1.5;
      trained.binary_accuracy = {0.7 + more, 0.3 + more};
      run.classes.push_back(trained);
    }
    record.runs.push_back(run);
  }
  return record;
}

PublishedValue published(const std::string& quantity, const std::string& class_name, const std::string& test = "") {
  return {"paper", quantity, "hills", test, class_name, kGaussian, 0.5};
}

ExperimentRun run_of(const std::string& data, const std::string& kernel, Index repeat, double accuracy) {
  ExperimentRun run{data, {kernel, "radius-margin", ""}, repeat, 0, {}, {}};
  run.tests = {{"near", 10, accuracy, accuracy + 0.1, {}}, {"far", 10, {}, 0.5, {}}};
  run.classes.resize(2);
  run.classes[0].seconds = 1;
  run.classes[1].seconds = 2 * static_cast<double>(repeat);
  return run;
}

}  // namespace

TEST_CASE("method name: in one line, without a dimension where there is none") {
  CHECK(to_string(MethodName{"hdda", "radius-margin", "scree:0.2"}) == "hdda, radius-margin, scree:0.2");
  CHECK(to_string(MethodName{"gaussian", "leave-one-out", ""}) == "gaussian, leave-one-out");
}

TEST_CASE("summary: mean and deviation over the repeats, by data set, method and test set") {
  const std::vector<MethodSummary> summaries =
      summarise({run_of("a", "hdda", 0, 0.6), run_of("a", "pca", 0, 0.3), run_of("a", "hdda", 1, 0.7),
                 run_of("a", "pca", 1, 0.3), run_of("a", "hdda", 2, 0.8), run_of("b", "hdda", 0, 0.1)});
  REQUIRE(summaries.size() == 6);
  CHECK(summaries[0].data == "a");
  CHECK(summaries[0].method.kernel == "hdda");
  CHECK(summaries[0].test == "near");
  CHECK(summaries[0].repeats == 3);
  CHECK(*summaries[0].mean_overall_accuracy == doctest::Approx(0.7));
  CHECK(*summaries[0].deviation_overall_accuracy == doctest::Approx(0.1));
  CHECK(summaries[0].mean_average_binary_accuracy == doctest::Approx(0.8));
  CHECK(*summaries[0].deviation_average_binary_accuracy == doctest::Approx(0.1));
  CHECK(summaries[0].mean_seconds == doctest::Approx(3));
  CHECK(summaries[1].test == "far");
  CHECK(!summaries[1].mean_overall_accuracy);
  CHECK(!summaries[1].deviation_overall_accuracy);
  CHECK(*summaries[1].deviation_average_binary_accuracy == 0);
  CHECK(summaries[2].method.kernel == "pca");
  CHECK(summaries[4].data == "b");
}

TEST_CASE("summary: one repeat has no deviation") {
  const std::vector<MethodSummary> summaries = summarise({run_of("a", "hdda", 0, 0.6)});
  CHECK(*summaries[0].mean_overall_accuracy == 0.6);
  CHECK(!summaries[0].deviation_overall_accuracy);
  CHECK(!summaries[0].deviation_average_binary_accuracy);
  CHECK(summarise({}).empty());
}

TEST_CASE("measured values are means over the repeats of that data set and method") {
  const ExperimentRecord record = two_repeats();
  CHECK(measured_value(record, published("binary_accuracy", "one")).value() == doctest::Approx(0.75));
  CHECK(measured_value(record, published("binary_accuracy", "two", "disjoint")).value() == doctest::Approx(0.35));
  CHECK(measured_value(record, published("average_binary_accuracy", "")).value() == doctest::Approx(0.65));
  CHECK(measured_value(record, published("average_binary_accuracy", "", "disjoint")).value() == doctest::Approx(0.45));
  CHECK(measured_value(record, published("overall_accuracy", "")).value() == 0.5);
  CHECK(measured_value(record, published("criterion_value", "one")).value() == 71);
  CHECK(measured_value(record, published("dimension", "one")).value() == 4.5);
  CHECK(measured_value(record, published("seconds", "one")).value() == 1.5);
  CHECK(measured_value(record, published("seconds", "")).value() == 3);
}

TEST_CASE("nothing is measured where data set, method, class, test set or quantity are not there") {
  const ExperimentRecord record = two_repeats();
  CHECK(!measured_value(record, published("binary_accuracy", "three")));
  CHECK(!measured_value(record, published("binary_accuracy", "one", "other")));
  CHECK(!measured_value(record, published("overall_accuracy", "", "disjoint")));
  CHECK(!measured_value(record, published("dimension", "")));
  PublishedValue elsewhere = published("dimension", "one");
  elsewhere.data = "valleys";
  CHECK(!measured_value(record, elsewhere));
  PublishedValue other = published("dimension", "one");
  other.method.dimension = "scree:0.2";
  CHECK(!measured_value(record, other));
}

TEST_CASE("one table per source, quantity, data set and test set, the average a column beside the classes") {
  ExperimentRecord record = two_repeats();
  const MethodName absent = {"hdda", "radius-margin", "scree:0.2"};
  record.published = {published("binary_accuracy", "one"), published("binary_accuracy", "two"),
                      published("average_binary_accuracy", ""), published("seconds", "")};
  record.published.push_back({"paper", "binary_accuracy", "hills", "", "two", absent, 0.9});
  const auto tables = compare_published(record);
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].quantity == "binary_accuracy");
  CHECK(tables[0].columns == std::vector<std::string>{"one", "two", "mean"});
  REQUIRE(tables[0].rows.size() == 2);
  CHECK(tables[0].rows[0].method == kGaussian);
  CHECK(tables[0].rows[0].values[2].published == 0.5);
  CHECK(tables[0].rows[0].values[2].measured.value() == doctest::Approx(0.65));
  CHECK(tables[0].rows[1].method == absent);
  REQUIRE(tables[0].rows[1].values.size() == 3);
  CHECK(!tables[0].rows[1].values[0].published);
  CHECK(tables[0].rows[1].values[1].published == 0.9);
  CHECK(!tables[0].rows[1].values[1].measured);
  CHECK(tables[1].quantity == "seconds");
  CHECK(tables[1].columns == std::vector<std::string>{"all classes"});
}

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
