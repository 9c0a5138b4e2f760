#include "experiment/summary.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace parsimap;

namespace {

ExperimentRun run_of(const std::string& data, const std::string& kernel, Index repeat, double accuracy) {
  ExperimentRun run{data, {kernel, "radius-margin", ""}, repeat, 0, {}, {}};
  run.tests = {{"near", 10, accuracy, accuracy + 0.1, {}}, {"far", 10, {}, 0.5, {}}};
  run.classes.resize(2);
  run.classes[0].seconds = 1;
  run.classes[1].seconds = 2 * static_cast<double>(repeat);
  return run;
}

}  // namespace

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
