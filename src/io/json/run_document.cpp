#include "run_document.hpp"

#include <limits>

namespace parsimap {
namespace {

// JSON knows finite numbers alone; the others are written as null.
double number_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

std::vector<double> numbers_of(const Json& json) {
  std::vector<double> numbers;
  numbers.reserve(json.size());
  for (const Json& entry : json) {
    numbers.push_back(number_of(entry));
  }
  return numbers;
}

Json confusion_document(const ConfusionMatrix& confusion) {
  Json rows = Json::array();
  for (Index r = 0; r < confusion.size(); ++r) {
    Json row = Json::array();
    for (Index c = 0; c < confusion.size(); ++c) {
      row.push_back(confusion.counts()(r, c));
    }
    rows.push_back(row);
  }
  return {{"names", confusion.names()}, {"counts", rows}};
}

ConfusionMatrix confusion_of(const Json& json) {
  const auto names = json.at("names").get<std::vector<std::string>>();
  const auto size = static_cast<Index>(names.size());
  CountMatrix counts(size, size);
  for (Index r = 0; r < size; ++r) {
    for (Index c = 0; c < size; ++c) {
      counts(r, c) = json.at("counts").at(static_cast<std::size_t>(r)).at(static_cast<std::size_t>(c));
    }
  }
  return {names, counts};
}

Json test_document(const TestRun& test) {
  return {{"name", test.name},
          {"samples", test.samples},
          {"overall_accuracy", nullable(test.overall_accuracy)},
          {"average_binary_accuracy", test.average_binary_accuracy},
          {"confusion_matrix", test.confusion ? confusion_document(*test.confusion) : Json(nullptr)}};
}

TestRun test_of(const Json& json) {
  TestRun test;
  test.name = json.at("name");
  test.samples = json.at("samples");
  if (!json.at("overall_accuracy").is_null()) {
    test.overall_accuracy = json["overall_accuracy"].get<double>();
  }
  test.average_binary_accuracy = number_of(json.at("average_binary_accuracy"));
  if (!json.at("confusion_matrix").is_null()) {
    test.confusion = confusion_of(json["confusion_matrix"]);
  }
  return test;
}

Json class_document(const ClassRun& trained) {
  return {{"name", trained.name},
          {"dimension", trained.dimension},
          {"criterion_value", trained.criterion_value},
          {"C", trained.C},
          {"support_vectors", trained.support_vectors},
          {"evaluations", trained.evaluations},
          {"stop_reason", trained.stop_reason},
          {"seconds", trained.seconds},
          {"binary_accuracy", trained.binary_accuracy.at(0)},
          {"binary_accuracies", trained.binary_accuracy},
          {"trace", trained.trace},
          {"weights", trained.weights},
          {"rest_weight", trained.rest_weight}};
}

ClassRun class_of(const Json& json) {
  ClassRun trained;
  trained.name = json.at("name");
  trained.dimension = json.at("dimension");
  trained.criterion_value = number_of(json.at("criterion_value"));
  trained.C = number_of(json.at("C"));
  trained.support_vectors = json.at("support_vectors");
  trained.evaluations = json.at("evaluations");
  trained.stop_reason = json.at("stop_reason");
  trained.seconds = number_of(json.at("seconds"));
  trained.binary_accuracy = numbers_of(json.at("binary_accuracies"));
  trained.trace = numbers_of(json.at("trace"));
  trained.weights = numbers_of(json.at("weights"));
  trained.rest_weight = number_of(json.at("rest_weight"));
  return trained;
}

}  // namespace

Json method_name_document(const MethodName& method) {
  return {{"kernel", method.kernel},
          {"criterion", method.criterion},
          {"dimension", method.dimension.empty() ? Json(nullptr) : Json(method.dimension)}};
}

Json run_document(const ExperimentRun& run) {
  Json json = {{"data", run.data},
               {"method", method_name_document(run.method)},
               {"repeat", run.repeat},
               {"seed", run.seed},
               {"overall_accuracy", nullable(run.tests.at(0).overall_accuracy)},
               {"average_binary_accuracy", run.tests.at(0).average_binary_accuracy},
               {"tests", Json::array()},
               {"classes", Json::array()}};
  for (const TestRun& test : run.tests) {
    json["tests"].push_back(test_document(test));
  }
  for (const ClassRun& trained : run.classes) {
    json["classes"].push_back(class_document(trained));
  }
  return json;
}

ExperimentRun run_of(const Json& json) {
  ExperimentRun run;
  run.data = json.at("data");
  const Json& method = json.at("method");
  run.method = {method.at("kernel"), method.at("criterion"),
                method.at("dimension").is_null() ? std::string() : method["dimension"].get<std::string>()};
  run.repeat = json.at("repeat");
  run.seed = json.at("seed");
  for (const Json& test : json.at("tests")) {
    run.tests.push_back(test_of(test));
  }
  for (const Json& trained : json.at("classes")) {
    run.classes.push_back(class_of(trained));
  }
  return run;
}

}  // namespace parsimap
