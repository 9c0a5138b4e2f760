#include "parsimap/report/experiment_json.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"

#include "unit/report/toy_run.hpp"

using namespace parsimap;
using nlohmann::json;

namespace {

ExperimentRecord toy_record() {
  ExperimentRecord record;
  record.title = "Toy";
  record.configuration = R"({"title": "Toy", "repeats": 1})";
  record.version = "1.2.3";
  record.data = {{"toy", 2, {400, 500}, 9, {{"one", 4, {1, 2}, {0.5, 0.25}, {3, 1}, {{"scree:0.2", 1, 0.4}}}}}};
  record.data[0].classes[0].scree.push_back({"bic", 2, std::nullopt});
  record.runs = {toy_run()};
  MethodSummary summary{"toy", record.runs[0].method, "test", 1, 0.75, std::nullopt, 0.1, std::nullopt, 0.5};
  record.summary = {summary};
  record.published = {{"paper", "binary_accuracy", "toy", "other", "one", record.runs[0].method, 0.75},
                      {"paper", "overall_accuracy", "toy", "other", "", record.runs[0].method, 0.5}};
  Matrix values(2, 2);
  values << 0.1, 0.2, 0.3, 0.4;
  record.kernels = {{"Gaussian", 1.5, values, 0.75}};
  return record;
}

}  // namespace

TEST_CASE("results have the keys and values that the header promises") {
  const json results = json::parse(results_json(toy_record()));
  CHECK(results["configuration"] == json{{"title", "Toy"}, {"repeats", 1}});
  CHECK(results["version"] == "1.2.3");
  CHECK(results["data"] ==
        json::parse(R"([{"name": "toy", "bands": 2, "wavelengths": [400.0, 500.0], "training_samples": 9, "classes": [
    {"name": "one", "samples": 4, "mean": [1.0, 2.0], "deviation": [0.5, 0.25], "eigenvalues": [3.0, 1.0],
     "scree": [{"dimension": "scree:0.2", "chosen": 1, "threshold": 0.4},
               {"dimension": "bic", "chosen": 2, "threshold": null}]}]}])"));
  REQUIRE(results["runs"].size() == 1);
  json line = json::parse(run_line(toy_run()));
  CHECK(line["trivial"] == json({false, true}));
  line.erase("trivial");
  CHECK(results["runs"][0] == line);
  CHECK(results["summary"] ==
        json::parse(R"([{"data": "toy", "test": "test", "repeats": 1, "mean_overall_accuracy": 0.75,
    "method": {"kernel": "hdda", "criterion": "radius-margin", "dimension": "scree:0.2"},
    "deviation_overall_accuracy": null, "mean_average_binary_accuracy": 0.1, "deviation_average_binary_accuracy": null,
    "mean_seconds": 0.5}])"));
  CHECK(results["kernel_shapes"] == json::parse(R"([{"title": "Gaussian", "half_width": 1.5, "contour": 0.75,
    "values": [[0.1, 0.2], [0.3, 0.4]]}])"));
}

TEST_CASE("published values stand beside the measured ones") {
  const json published = json::parse(results_json(toy_record()))["published"];
  REQUIRE(published.size() == 2);
  CHECK(published[0]["class"] == "one");
  CHECK(published[0]["value"] == 0.75);
  CHECK(published[0]["measured"] == 0.5);
  CHECK(published[0]["difference"] == -0.25);
  CHECK(published[1]["class"].is_null());
  CHECK(published[1]["measured"].is_null());
  CHECK(published[1]["difference"].is_null());
}

TEST_CASE("an experiment without runs or data has empty lists") {
  ExperimentRecord record;
  record.configuration = "{}";
  const json results = json::parse(results_json(record));
  for (const std::string key : {"data", "runs", "summary", "published", "kernel_shapes"}) {
    CAPTURE(key);
    CHECK(results[key] == json::array());
  }
}

TEST_CASE("a run is one line that reads back the same") {
  const std::string line = run_line(toy_run());
  CHECK(line.find('\n') == std::string::npos);
  CHECK(run_line(run_from_line(line)) == line);
  CHECK(run_from_line(line).classes[0].criterion_value == 0.1 + 0.2);
}

TEST_CASE("a run has the keys and values that the header promises") {
  const json line = json::parse(run_line(toy_run()));
  CHECK(line["data"] == "toy");
  CHECK(line["method"] == json{{"kernel", "hdda"}, {"criterion", "radius-margin"}, {"dimension", "scree:0.2"}});
  CHECK(line["repeat"] == 3);
  CHECK(line["seed"] == 18446744073709551615ULL);
  CHECK(line["overall_accuracy"] == 0.75);
  CHECK(line["average_binary_accuracy"] == 0.1);
  CHECK(line["tests"][0]["samples"] == 8);
  CHECK(line["tests"][0]["confusion_matrix"]["names"] == json({"one", "two"}));
  // Rows are reference.
  CHECK(line["tests"][0]["confusion_matrix"]["counts"] == json({{4, 0}, {2, 2}}));
  CHECK(line["tests"][1]["overall_accuracy"].is_null());
  CHECK(line["tests"][1]["confusion_matrix"].is_null());
  const json& trained = line["classes"][0];
  CHECK(trained["binary_accuracy"] == 0.25);
  CHECK(trained["binary_accuracies"] == json({0.25, 0.5}));
  CHECK(trained["C"] == 1e4);
  CHECK(trained["stop_reason"] == "converged");
}

TEST_CASE("a method without a subspace has no dimension") {
  ExperimentRun run = toy_run();
  run.method = {"gaussian", "leave-one-out", ""};
  CHECK(json::parse(run_line(run))["method"]["dimension"].is_null());
  CHECK(run_from_line(run_line(run)).method == run.method);
}

TEST_CASE("a run survives the way to a line and back, bit by bit") {
  const ExperimentRun run = toy_run();
  const ExperimentRun back = run_from_line(run_line(run));
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
  CHECK(back.classes[1].trivial);
  CHECK(run_line(back) == run_line(run));
}

TEST_CASE("values that are not finite become NaN") {
  ExperimentRun run = toy_run();
  run.classes[0].trace = {1, std::numeric_limits<double>::infinity()};
  run.classes[1].criterion_value = std::nan("");
  const ExperimentRun back = run_from_line(run_line(run));
  CHECK(back.classes[0].trace[0] == 1);
  CHECK(std::isnan(back.classes[0].trace[1]));
  CHECK(std::isnan(back.classes[1].criterion_value));
}

TEST_CASE("what is no run is refused") {
  CHECK_THROWS_AS(run_from_line(std::string(200'000, '[') + std::string(200'000, ']')), DataError);
  for (const std::string& line :
       {std::string("{\"data\": \"toy\"}"), std::string("{"), std::string("[]"), run_line(toy_run()).substr(0, 100)}) {
    CAPTURE(line);
    CHECK_THROWS_WITH_AS(run_from_line(line), doctest::Contains("the line is not a run: "), DataError);
  }
}

TEST_CASE("a description is one line that reads back the same, and is distinguished from a run") {
  const DataDescription description = toy_record().data[0];
  const std::string line = description_line(description);
  CHECK(line.find('\n') == std::string::npos);
  const auto back = description_from_line(line);
  REQUIRE(back);
  CHECK(description_line(*back) == line);
  CHECK(back->classes[0].scree[0].threshold == 0.4);
  CHECK_FALSE(back->classes[0].scree[1].threshold);
  CHECK_FALSE(description_from_line(run_line(toy_run())));
  CHECK(description_line({"toy", 2, {400, 500}, 9, {}}) ==
        "{\"description\":{\"name\":\"toy\",\"bands\":2,\"wavelengths\":[400.0,500.0],\"training_samples\":9,"
        "\"classes\":[]}}");
  CHECK_THROWS_WITH_AS(description_from_line("{\"description\":{\"name\":3}}"),
                       doctest::Contains("the line is not a description: "), DataError);
}

TEST_CASE("what a shard has done is a document") {
  CHECK(json::parse(experiment_shard_json({{3, 8}, 5, 2, "out/j.jsonl"})) ==
        json{{"shard", "3/8"}, {"runs", 5}, {"done_before", 2}, {"journal", "out/j.jsonl"}});
  CHECK(json::parse(experiment_shard_json({{8, 8}, 0, 0, "out/j.jsonl"}))["journal"].is_null());
}
