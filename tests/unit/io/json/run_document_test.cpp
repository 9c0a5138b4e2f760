#include "io/json/run_document.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "unit/io/json/toy_run.hpp"

using namespace parsimap;

TEST_CASE("a run has the keys and values that its header promises") {
  const Json json = run_document(toy_run());
  CHECK(json["data"] == "toy");
  CHECK(json["method"] == Json{{"kernel", "hdda"}, {"criterion", "radius-margin"}, {"dimension", "scree:0.2"}});
  CHECK(json["repeat"] == 3);
  CHECK(json["seed"] == 18446744073709551615ULL);
  CHECK(json["overall_accuracy"] == 0.75);
  CHECK(json["average_binary_accuracy"] == 0.1);
  CHECK(json["tests"][0]["samples"] == 8);
  CHECK(json["tests"][0]["confusion_matrix"]["names"] == Json{"one", "two"});
  // Rows are reference.
  CHECK(json["tests"][0]["confusion_matrix"]["counts"] == Json{{4, 0}, {2, 2}});
  CHECK(json["tests"][1]["overall_accuracy"].is_null());
  CHECK(json["tests"][1]["confusion_matrix"].is_null());
  const Json& trained = json["classes"][0];
  CHECK(trained["binary_accuracy"] == 0.25);
  CHECK(trained["binary_accuracies"] == Json{0.25, 0.5});
  CHECK(trained["C"] == 1e4);
  CHECK(trained["stop_reason"] == "converged");
}

TEST_CASE("a method without a subspace has no dimension") {
  const Json json = method_name_document({"gaussian", "leave-one-out", ""});
  CHECK(json["dimension"].is_null());
}

TEST_CASE("a run survives the way to a document and back, bit by bit") {
  const ExperimentRun run = toy_run();
  const ExperimentRun back = run_of(run_document(run));
  CHECK(back.method == run.method);
  CHECK(back.seed == run.seed);
  CHECK(back.repeat == run.repeat);
  REQUIRE(back.tests.size() == 2);
  CHECK(back.tests[0].name == "test");
  CHECK(back.tests[0].confusion->counts() == run.tests[0].confusion->counts());
  CHECK_FALSE(back.tests[1].overall_accuracy);
  REQUIRE(back.classes.size() == 2);
  CHECK(back.classes[0].weights == run.classes[0].weights);
  CHECK(back.classes[0].trace == run.classes[0].trace);
  CHECK(back.classes[0].seconds == run.classes[0].seconds);
  CHECK(run_document(back).dump() == run_document(run).dump());
}

TEST_CASE("values that are not finite become NaN") {
  ExperimentRun run = toy_run();
  run.classes[0].trace = {1, std::numeric_limits<double>::infinity()};
  run.classes[1].criterion_value = std::nan("");
  const ExperimentRun back = run_of(Json::parse(run_document(run).dump()));
  CHECK(back.classes[0].trace[0] == 1);
  CHECK(std::isnan(back.classes[0].trace[1]));
  CHECK(std::isnan(back.classes[1].criterion_value));
}
