#include "parsimap/json/experiment_spec.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "parsimap/core/error.hpp"

#include "json/json_fields.hpp"
#include "support/source_folder.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

namespace {

Json minimal_experiment() {
  return Json::parse(R"({"title": "t", "methods": [{"kernel": "gaussian"}],
    "data": [{"name": "d", "tables": {"train": {"features": "a", "labels": "b"},
                                      "test": {"features": "c", "labels": "e"}}}]})");
}

ExperimentSpec parse(const Json& document) { return parse_experiment(document.dump()); }

std::string refusal_of_experiment(const Json& document) {
  return message_of([&] { parse(document); });
}

// The error after setting the value at a JSON pointer.
std::string refusal_of_experiment(const std::string& pointer, const Json& value) {
  Json document = minimal_experiment();
  document[Json::json_pointer(pointer)] = value;
  return refusal_of_experiment(document);
}

std::vector<std::string> texts(const std::vector<Method>& methods) {
  std::vector<std::string> result;
  for (const Method& method : methods) {
    const MethodName name = name_of(method);
    result.push_back(name.kernel + " " + name.criterion + " " + name.dimension);
  }
  return result;
}

Json properties_of(const Json& rule) { return rule.value("properties", Json::object()); }

// Calls visit on every rule of a schema, with the rule's place.
void each_experiment_rule(const std::string& place, const Json& rule,
                          const std::function<void(const std::string&, const Json&)>& visit) {
  visit(place, rule);
  const Json properties = properties_of(rule);
  for (const auto& [key, property] : properties.items()) {
    each_experiment_rule(place + "/" + key, property, visit);
  }
  for (const Json& branch : rule.value("anyOf", Json::array())) {
    each_experiment_rule(place, branch, visit);
  }
  if (rule.contains("items")) {
    each_experiment_rule(place + "/0", rule["items"], visit);
  }
}

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

TEST_CASE("the schema has bounds for whole numbers, no unknown keys, and a description for every key") {
  const Json schema = Json::parse(experiment_schema());
  std::size_t keys = 0;
  const auto check = [&](const std::string& place, const Json& rule) {
    CAPTURE(place);
    CHECK((rule.contains("type") || rule.contains("enum") || rule.contains("anyOf") || rule.contains("$ref")));
    if (rule.value("type", "") == "object") {
      CHECK(rule.contains("additionalProperties"));
    }
    if (rule.value("type", "") == "integer") {
      CHECK(rule.contains("minimum"));
      CHECK(rule.contains("maximum"));
    }
    const Json properties = properties_of(rule);
    for (const auto& property : properties.items()) {
      CAPTURE(property.key());
      CHECK(property.value().value("description", "").ends_with('.'));
      ++keys;
    }
  };
  each_experiment_rule("", schema, check);
  for (const auto& [name, definition] : schema["definitions"].items()) {
    each_experiment_rule(name, definition, check);
  }
  CHECK(keys > 40);
}

TEST_CASE("config/README.md has every key with its description") {
  const std::string readme = file_content(test::source_folder() + "/config/README.md");
  const Json schema = Json::parse(experiment_schema());
  const auto check = [&](const std::string&, const Json& rule) {
    const Json properties = properties_of(rule);
    for (const auto& [key, property] : properties.items()) {
      const std::string row = "`" + key + "` | " + property["description"].get<std::string>();
      CAPTURE(row);
      CHECK(readme.find(row) != std::string::npos);
    }
  };
  each_experiment_rule("", schema, check);
  for (const auto& [name, definition] : schema["definitions"].items()) {
    each_experiment_rule(name, definition, check);
  }
}

TEST_CASE("a minimal experiment has the defaults") {
  const ExperimentSpec spec = parse(minimal_experiment());
  const ExperimentSpec defaults;
  CHECK(spec.title == "t");
  CHECK(spec.description.empty());
  CHECK(spec.scaling == defaults.scaling);
  CHECK(spec.repeats == defaults.repeats);
  CHECK(spec.seed == defaults.seed);
  CHECK_FALSE(spec.kernel_shape);
  CHECK(spec.published.empty());
  CHECK(texts(spec.methods) == std::vector<std::string>{"gaussian leave-one-out "});
  REQUIRE(spec.data.size() == 1);
  CHECK(spec.data[0].classes.empty());
  CHECK_FALSE(spec.data[0].train_per_class);
  const auto& tables = std::get<TableData>(spec.data[0].source);
  CHECK(tables.train.features.paths == std::vector<std::string>{"a"});
  CHECK(tables.train.labels.paths == std::vector<std::string>{"b"});
  CHECK(tables.test.features.paths == std::vector<std::string>{"c"});
  CHECK(tables.test.labels.paths == std::vector<std::string>{"e"});
  CHECK(tables.test.labels.bytes == 0);
}

TEST_CASE("lists of a method stand for all combinations, in order, and kernels without a subspace occur once") {
  Json document = minimal_experiment();
  document["methods"] = Json::parse(R"([
    {"kernel": ["gaussian", "pca", "hdda"], "criterion": ["radius-margin", "leave-one-out"],
     "dimension": ["scree:0.2", "fixed:3"]},
    {"kernel": "gaussian", "criterion": "cross-validation"}, {"kernel": "hdda"},
    {"kernel": ["mahalanobis", "diagonal-mahalanobis"], "dimension": "bic"},
    {"kernel": ["hdda-polynomial:2", "hdda-polynomial:3", "hdda-sum"], "dimension": "ml"}])");
  CHECK(texts(parse(document).methods) ==
        std::vector<std::string>{
            "gaussian radius-margin ", "gaussian leave-one-out ", "pca radius-margin scree:0.2",
            "pca radius-margin fixed:3", "pca leave-one-out scree:0.2", "pca leave-one-out fixed:3",
            "hdda radius-margin scree:0.2", "hdda radius-margin fixed:3", "hdda leave-one-out scree:0.2",
            "hdda leave-one-out fixed:3", "gaussian cross-validation ", "hdda leave-one-out scree:0.01",
            "mahalanobis leave-one-out ", "diagonal-mahalanobis leave-one-out ", "hdda-polynomial:2 leave-one-out ml",
            "hdda-polynomial:3 leave-one-out ml", "hdda-sum leave-one-out ml"});
}

TEST_CASE("data sets are tables, scenes or simulations") {
  Json document = minimal_experiment();
  document["data"].push_back(Json::parse(R"({"name": "scene", "classes": ["1", "2"], "train_per_class": 30,
    "scene": {"image": {"paths": ["u.mat", "u.tif"], "origin": "From the web.", "bytes": 123}, "train": "train.tif",
              "tests": [{"name": "all", "map": "gt.tif"}, {"name": "others", "map": "rest.tif"}]}})"));
  document["data"].push_back(Json::parse(R"({"name": "simulated", "simulated": {"train": 8, "test": 4,
    "scene": {"width": 4, "height": 3, "bands": 5, "classes": [{"name": "a", "dimension": 2},
                                                               {"name": "b", "dimension": 2}]}}})"));
  const ExperimentSpec spec = parse(document);
  REQUIRE(spec.data.size() == 3);
  CHECK(spec.data[1].classes == std::vector<std::string>{"1", "2"});
  CHECK(spec.data[1].train_per_class == 30);
  const auto& scene = std::get<SceneData>(spec.data[1].source);
  CHECK(scene.scene.paths == std::vector<std::string>{"u.mat", "u.tif"});
  CHECK(scene.scene.origin == "From the web.");
  CHECK(scene.scene.bytes == 123);
  CHECK(scene.train.paths == std::vector<std::string>{"train.tif"});
  REQUIRE(scene.tests.size() == 2);
  CHECK(scene.tests[1].name == "others");
  CHECK(scene.tests[1].map.paths == std::vector<std::string>{"rest.tif"});
  const auto& simulated = std::get<SimulatedData>(spec.data[2].source);
  CHECK(simulated.train == 8);
  CHECK(simulated.test == 4);
  CHECK(simulated.scene.bands == 5);
  CHECK(simulated.scene.classes[1].name == "b");
}

TEST_CASE("kernel shapes and published values reach their fields") {
  Json document = minimal_experiment();
  document["methods"].push_back({{"kernel", "hdda"}, {"criterion", "radius-margin"}, {"dimension", "scree:0.20"}});
  document["kernel_shape"] = Json::parse(R"({"covariance": [0.6, -0.2, -0.2, 0.6], "half_width": 2, "points": 11,
    "contour": 0.5, "surfaces": [{"title": "panel", "kernel": "hdda", "sigma_squared": [1.5, 0.5]
}]
})");
  document["published"] = Json::parse(R"([
    {"source": "paper", "quantity": "binary_accuracy", "data": "d", "test": "test", "kernel": "hdda",
     "criterion": "radius-margin", "dimension": "scree:0.2", "values": {"b": 0.5, "a": 0.25}},
    {"source": "note", "quantity": "overall_accuracy", "data": "d", "kernel": "gaussian", "value": 0.75}])");
  const ExperimentSpec spec = parse(document);
  REQUIRE(spec.kernel_shape);
  CHECK(spec.kernel_shape->covariance == std::array<double, 4>{0.6, -0.2, -0.2, 0.6});
  CHECK(spec.kernel_shape->half_width == 2);
  CHECK(spec.kernel_shape->points == 11);
  CHECK(spec.kernel_shape->contour == 0.5);
  CHECK(spec.kernel_shape->surfaces.at(0).kernel == ExperimentKernel::hdda);
  CHECK(spec.kernel_shape->surfaces.at(0).sigma_squared == std::vector<double>{1.5, 0.5});
  REQUIRE(spec.published.size() == 3);
  // In the order of the file.
  CHECK(spec.published[0].class_name == "b");
  CHECK(spec.published[0].value == 0.5);
  CHECK(spec.published[0].test == "test");
  CHECK(spec.published[1].class_name == "a");
  CHECK(spec.published[1].method == MethodName{"hdda", "radius-margin", "scree:0.2"});
  CHECK(spec.published[2].class_name.empty());
  CHECK(spec.published[2].method == MethodName{"gaussian", "leave-one-out", ""});
  CHECK(spec.published[2].value == 0.75);
}

TEST_CASE("unknown methods are refused with the known ones") {
  CHECK(refusal_of_experiment("/methods/0/kernel", "rbf") ==
        "/methods/0/kernel is \"rbf\"; it must be one of hdda, pca, gaussian, mahalanobis, diagonal-mahalanobis, "
        "hdda-polynomial:2, hdda-polynomial:3, hdda-sum");
  CHECK(refusal_of_experiment("/methods/0/kernel", "hdda-polynomial:4")
            .starts_with("/methods/0/kernel is \"hdda-polynomial:4\""));
  CHECK(refusal_of_experiment("/methods/0/criterion", {"radius-margin", "loo"}) ==
        "/methods/0/criterion/1 is \"loo\"; it must be one of leave-one-out, radius-margin, cross-validation");
  CHECK(refusal_of_experiment("/methods/0/dimension", "scree:1.5").starts_with("/methods/0/dimension: "));
  CHECK(refusal_of_experiment("/methods/0/dimension", "scree:1.5") ==
        "/methods/0/dimension: " + message_of([] { parse_dimension_rule("scree:1.5"); }));
  CHECK(refusal_of_experiment("/scaling", "log") ==
        "/scaling is \"log\"; it must be one of none, global, standardise, "
        "within-classes");
}

TEST_CASE("values outside of their range are refused with their place") {
  CHECK(refusal_of_experiment("/repeats", 0).starts_with("/repeats is 0; it must be a whole number at least 1"));
  CHECK(refusal_of_experiment("/data/0/train_per_class", 1).starts_with("/data/0/train_per_class is 1; it must be"));
  Json shape = {{"surfaces", {{{"title", "H"}, {"kernel", "hdda"}, {"sigma_squared", {1, 2}}}}}};
  CHECK(refusal_of_experiment("/kernel_shape", shape) == "nothing was thrown");
  const auto refusal = [&](const std::string& pointer, const Json& value) {
    Json changed = shape;
    changed[Json::json_pointer(pointer)] = value;
    return refusal_of_experiment("/kernel_shape", changed);
  };
  for (const auto& [pointer, value] : std::vector<std::pair<std::string, Json>>{{"/points", 1},
                                                                                {"/half_width", 0},
                                                                                {"/contour", 0},
                                                                                {"/contour", 1},
                                                                                {"/surfaces/0/kernel", "mahalanobis"},
                                                                                {"/surfaces/0/sigma_squared/1", 0}}) {
    CHECK(refusal(pointer, value).starts_with("/kernel_shape" + pointer + " is " + value.dump() + "; it must be "));
  }
  const Json entry = {{"source", "s"}, {"quantity", "kappa"}, {"data", "d"}, {"kernel", "gaussian"}, {"value", 1}};
  CHECK(refusal_of_experiment("/published", Json::array({entry})) ==
        "/published/0/quantity is \"kappa\"; it must be one of binary_accuracy, overall_accuracy, "
        "average_binary_accuracy, criterion_value, dimension, seconds");
}

TEST_CASE("a data set has one source and a published entry one of value and values") {
  Json document = minimal_experiment();
  document["data"][0].erase("tables");
  CHECK(refusal_of_experiment(document) == "/data/0 has none of tables, scene and simulated; it must have exactly one");
  document = minimal_experiment();
  document["data"][0]["scene"] = {{"image", "a"}, {"train", "b"}, {"tests", {{{"name", "t"}, {"map", "c"}}}}};
  CHECK(refusal_of_experiment(document) ==
        "/data/0 has several of tables, scene and simulated; it must have exactly one");
  Json entry = {{"source", "s"}, {"quantity", "seconds"}, {"data", "d"}, {"kernel", "gaussian"}};
  CHECK(refusal_of_experiment("/published", Json::array({entry})) ==
        "/published/0 has none of value and values; it must have exactly one");
  entry["value"] = 1;
  entry["values"] = Json::object();
  CHECK(refusal_of_experiment("/published", Json::array({entry})) ==
        "/published/0 has both of value and values; it must have exactly one");
}

TEST_CASE("files, embedded simulations and rules between fields are checked in place") {
  CHECK(refusal_of_experiment("/data/0/tables/train/features", {{"path", "x"}}) ==
        "/data/0/tables/train/features/path is unknown; known here are bytes, origin, paths, variable");
  CHECK(refusal_of_experiment("/data/0/tables/train/features", 3)
            .starts_with("/data/0/tables/train/features is 3; it must be text"));
  Json document = minimal_experiment();
  document["data"][0] = {{"name", "s"}, {"simulated", {{"train", 4}, {"test", 4}, {"scene", Json::object()}}}};
  CHECK(refusal_of_experiment(document) ==
        "/data/0/simulated/scene/width is missing; it must be a whole number at least 1, at most 1073741824");
  document["data"][0]["simulated"]["scene"] = {
      {"width", 0}, {"height", 1}, {"bands", 3}, {"classes", {{{"name", "a"}}, {{"name", "b"}}}}};
  CHECK(refusal_of_experiment(document) ==
        "/data/0/simulated/scene/width is 0; it must be a whole number at least 1, at most 1073741824");
  CHECK(refusal_of_experiment("/methods/0/criterion", "cross-validation") == "nothing was thrown");
  CHECK(refusal_of_experiment("/methods/0", {{"kernel", "hdda"}, {"criterion", "cross-validation"}}) !=
        "nothing was thrown");  // the sentence is check_experiment's
}

TEST_CASE("errors of a file have its name in front") {
  const TemporaryFolder folder;
  const std::string path = folder.file("experiment.json");
  write_file(path, minimal_experiment().dump());
  CHECK(read_experiment(path).title == "t");
  write_file(path, "{");
  CHECK(message_of([&] { read_experiment(path); }).starts_with(path + ": not valid JSON: "));
  write_file(path, "{}");
  CHECK(message_of([&] { read_experiment(path); }) == path + ": /title is missing; it must be text that is not empty");
  CHECK(message_of([] { read_experiment("/nowhere/e.json"); }) ==
        "experiment '/nowhere/e.json' cannot be read: No such file or directory");
}

TEST_CASE("the resolved configuration resolves to itself") {
  const std::string resolved = experiment_json(parse_experiment(kFull));
  CHECK(experiment_json(parse_experiment(resolved)) == resolved);
}

TEST_CASE("defaults are filled in, lists of methods expanded, and classes of one table kept together") {
  const Json full = Json::parse(experiment_json(parse_experiment(kFull)));
  CHECK(full["repeats"] == 3);
  CHECK(full["seed"] == 9223372036854775807);
  CHECK(full["methods"] == Json::parse(R"([{"kernel": "gaussian", "criterion": "radius-margin"},
    {"kernel": "hdda", "criterion": "radius-margin", "dimension": "scree:0.1"},
    {"kernel": "hdda", "criterion": "radius-margin", "dimension": "bic"}])"));
  CHECK(full["data"][0]["classes"] == Json{"1"});
  CHECK(full["data"][0]["tables"]["train"]["features"] == Json{{"paths", {"a"}}, {"origin", ""}, {"bytes", 0}});
  CHECK(full["data"][0]["tables"]["train"]["labels"] == Json{{"paths", {"b", "c"}}, {"origin", "o"}, {"bytes", 5}});
  CHECK(full["data"][1]["train_per_class"] == 30);
  CHECK(full["data"][2]["simulated"]["scene"]["first_wavelength"] == 400);
  CHECK(full["data"][2]["simulated"]["scene"]["snr"] == 0.1);
  CHECK(full["kernel_shape"]["surfaces"][0]["sigma_squared"] == Json{0.1});
  REQUIRE(full["published"].size() == 2);
  CHECK(full["published"][0]["values"].dump() == R"({"1":0.1,"-1":0.2})");
  CHECK(full["published"][1]["value"] == 3.5);
  CHECK(full["published"][1]["dimension"] == "");
  const Json minimal = Json::parse(experiment_json(parse_experiment(R"({"title": "t",
    "kernel_shape": {"surfaces": [{"title": "s", "kernel": "gaussian", "sigma_squared": [1]}]}})")));
  CHECK(minimal["scaling"] == "global");
  CHECK(minimal["repeats"] == 1);
  CHECK(minimal["kernel_shape"]["covariance"] == Json{1.0, 0.0, 0.0, 1.0});
}

TEST_CASE("equal classes of one table stay two entries") {
  ExperimentSpec spec = parse_experiment(kFull);
  spec.published = {spec.published[0], spec.published[0]};
  CHECK(Json::parse(experiment_json(spec))["published"].size() == 2);
}
