#include "parsimap/experiment/experiment_record.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "support/example_experiment.hpp"

using namespace parsimap;

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
