#include "parsimap/report/experiment_text.hpp"

#include <doctest/doctest.h>

using namespace parsimap;

namespace {

ClassRun class_run(const std::string& name, double criterion, const std::string& stop) {
  ClassRun trained;
  trained.name = name;
  trained.criterion_value = criterion;
  trained.stop_reason = stop;
  return trained;
}

ExperimentRecord record() {
  const MethodName hdda = {"hdda", "radius-margin", "scree:0.1"};
  const MethodName gaussian = {"gaussian", "leave-one-out", ""};
  ExperimentRecord result;
  result.title = "A title";
  result.data = {{"toy", 7, {}, 90, {}}};
  for (Index repeat = 0; repeat < 2; ++repeat) {
    ExperimentRun run{"toy", hdda, repeat, 1, {{"first", 5, 0.5, 0.5, std::nullopt}}, {}};
    run.classes = {class_run("a", 10 + 4.0 * static_cast<double>(repeat), "converged"),
                   class_run("b", 20, "converged on the trivial plateau T = n - 1")};
    result.runs.push_back(run);
    run.method = gaussian;
    run.classes = {class_run("a", 0.25, "converged")};
    result.runs.push_back(run);
  }
  result.summary = {{"toy", hdda, "first", 2, 0.841, 0.005, 0.75, 0.01, 3.5},
                    {"toy", hdda, "second", 2, 0.111, 0.005, 0.75, 0.01, 3.5},
                    {"toy", gaussian, "first", 2, std::nullopt, std::nullopt, 0.7, std::nullopt, 0.125}};
  return result;
}

}  // namespace

TEST_CASE("one row per method, of the first test set") {
  CHECK(experiment_text(record()) ==
        "A title\n"
        "\n"
        "toy: 90 training samples, 7 features; test set 'first'\n"
        "\n"
        "  kernel    criterion      dimension   overall %  class against rest %  criterion  seconds\n"
        "  hdda      radius-margin  scree:0.1  84.1 ± 0.5            75.0 ± 1.0         16      3.5\n"
        "  gaussian  leave-one-out  -                   -                  70.0       0.25    0.125\n"
        "\n"
        "Machines that ended on the trivial plateau of the criterion: 2\n");
}

TEST_CASE("without data there is a title") {
  ExperimentRecord empty;
  empty.title = "Shapes";
  CHECK(experiment_text(empty) == "Shapes\n");
}
