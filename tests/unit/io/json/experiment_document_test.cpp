#include "io/json/experiment_document.hpp"

#include <doctest/doctest.h>

#include "parsimap/io/json/experiment_spec.hpp"

using namespace parsimap;

namespace {

const std::string kFull = R"({
  "title": "t", "description": "d", "scaling": "standardise", "repeats": 3, "seed": 9223372036854775807,
  "methods": [{"kernel": ["gaussian", "hdda"], "criterion": "radius-margin", "dimension": ["scree:0.1", "bic"]}],
  "data": [
    {"name": "tables", "tables": {"train": {"features": "a", "labels": {"paths": ["b", "c"], "origin": "o", "bytes": 5}},
                                  "test": {"features": "e", "labels": "f"}}, "classes": ["1"]},
    {"name": "scene", "train_per_class": 30, "scene": {"image": "i", "train": "t",
                                                       "tests": [{"name": "n", "map": "m"}]}},
    {"name": "simulated", "simulated": {"train": 8, "test": 4, "scene": {"width": 4, "height": 3, "bands": 5, "snr": 0.1,
      "classes": [{"name": "a", "dimension": 2}, {"name": "b", "dimension": 2}]}}}],
  "kernel_shape": {"covariance": [0.6, -0.2, -0.2, 0.6], "half_width": 2, "points": 11, "contour": 0.5,
                   "surfaces": [{"title": "s", "kernel": "gaussian", "sigma_squared": [0.1]}]},
  "published": [
    {"source": "p", "quantity": "binary_accuracy", "data": "tables", "kernel": "hdda", "criterion": "radius-margin",
     "dimension": "bic", "values": {"1": 0.1, "-1": 0.2}},
    {"source": "p", "quantity": "seconds", "data": "scene", "test": "n", "kernel": "gaussian",
     "criterion": "radius-margin", "value": 3.5}]})";

}  // namespace

TEST_CASE("the resolved configuration resolves to itself") {
  const std::string resolved = experiment_json(parse_experiment(kFull));
  CHECK(experiment_json(parse_experiment(resolved)) == resolved);
}

TEST_CASE("defaults are filled in, lists of methods expanded, and classes of one table kept together") {
  const Json json = experiment_document(parse_experiment(kFull));
  CHECK(json["repeats"] == 3);
  CHECK(json["seed"] == 9223372036854775807);
  CHECK(json["methods"] == Json::parse(R"([{"kernel": "gaussian", "criterion": "radius-margin"},
    {"kernel": "hdda", "criterion": "radius-margin", "dimension": "scree:0.1"},
    {"kernel": "hdda", "criterion": "radius-margin", "dimension": "bic"}])"));
  CHECK(json["data"][0]["classes"] == Json{"1"});
  CHECK(json["data"][0]["tables"]["train"]["features"] == Json{{"paths", {"a"}}, {"origin", ""}, {"bytes", 0}});
  CHECK(json["data"][0]["tables"]["train"]["labels"] == Json{{"paths", {"b", "c"}}, {"origin", "o"}, {"bytes", 5}});
  CHECK(json["data"][1]["train_per_class"] == 30);
  CHECK(json["data"][2]["simulated"]["scene"]["first_wavelength"] == 400);
  CHECK(json["data"][2]["simulated"]["scene"]["snr"] == 0.1);
  CHECK(json["kernel_shape"]["surfaces"][0]["sigma_squared"] == Json{0.1});
  REQUIRE(json["published"].size() == 2);
  CHECK(json["published"][0]["values"].dump() == R"({"1":0.1,"-1":0.2})");
  CHECK(json["published"][1]["value"] == 3.5);
  CHECK(json["published"][1]["dimension"] == "");
  const Json minimal = experiment_document(parse_experiment(R"({"title": "t",
    "kernel_shape": {"surfaces": [{"title": "s", "kernel": "gaussian", "sigma_squared": [1]}]}})"));
  CHECK(minimal["scaling"] == "global");
  CHECK(minimal["repeats"] == 1);
  CHECK(minimal["kernel_shape"]["covariance"] == Json{1.0, 0.0, 0.0, 1.0});
}

TEST_CASE("equal classes of one table stay two entries") {
  ExperimentSpec spec = parse_experiment(kFull);
  spec.published = {spec.published[0], spec.published[0]};
  CHECK(experiment_document(spec)["published"].size() == 2);
}
