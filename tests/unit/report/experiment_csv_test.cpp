#include "parsimap/report/experiment_csv.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/example_experiment.hpp"

using namespace parsimap;

TEST_CASE("one row per run, test set and class, with as many fields everywhere") {
  const ExperimentRecord record = test::example_experiment();
  const std::string text = experiment_csv(record);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + static_cast<long>(record.runs.size()) * 2 * 3);
  CHECK(text.rfind("data,kernel,criterion,dimension,repeat,seed,test,samples,overall_accuracy,average_binary_accuracy,"
                   "class,class_dimension,criterion_value,C,support_vectors,evaluations,stop_reason,seconds,"
                   "binary_accuracy,rest_weight\r\n",
                   0) == 0);
}

TEST_CASE("a row holds the values of its class in its test set, quoted where needed") {
  ExperimentRecord record;
  ExperimentRun run{"hills, high", {"gaussian", "radius-margin", ""}, 2, 7, {}, {}};
  run.tests = {{"all", 10, 0.9, 0.95, {}}, {"disjoint", 8, {}, 0.75, {}}};
  ClassRun trained;
  trained.name = "say \"x\"";
  trained.criterion_value = 79.41;
  trained.C = 0.1;
  trained.support_vectors = 5;
  trained.evaluations = 31;
  trained.stop_reason = "converged";
  trained.seconds = 1.5;
  trained.rest_weight = 0.25;
  trained.binary_accuracy = {0.875, 0.75};
  run.classes = {trained};
  record.runs = {run};
  const std::string text = experiment_csv(record);
  CHECK(text.substr(text.find("\r\n") + 2) ==
        "\"hills, high\",gaussian,radius-margin,,2,7,all,10,0.9,0.95,\"say \"\"x\"\"\",0,79.41,0.1,5,31,converged,1.5,"
        "0.875,0.25\r\n"
        "\"hills, high\",gaussian,radius-margin,,2,7,disjoint,8,,0.75,\"say \"\"x\"\"\",0,79.41,0.1,5,31,converged,1.5,"
        "0.75,0.25\r\n");
}
