#include "parsimap/io/json/experiment_spec.hpp"

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/io/json/simulation_spec.hpp"

#include "experiment_document.hpp"
#include "json_document.hpp"
#include "schema_check.hpp"
#include "simulation_document.hpp"

namespace parsimap {
namespace {

// The message of a rule that knows nothing of JSON, with the place in front.
template <typename Parse>
auto parsed(const std::string& pointer, const Parse& parse) {
  try {
    return parse();
  } catch (const ConfigError& error) {
    throw ConfigError(pointer + ": " + error.what());
  }
}

std::string at(const std::string& list, std::size_t index) { return "/" + list + "/" + std::to_string(index); }

bool has_subspace(ExperimentKernel kernel) {
  return kernel == ExperimentKernel::hdda || kernel == ExperimentKernel::pca;
}

// A text or a list of texts; `fallback` when there is none.
std::vector<std::string> texts(const Json& object, const char* key, const std::string& fallback) {
  const auto found = object.find(key);
  if (found == object.end()) {
    return {fallback};
  }
  return found->is_array() ? found->get<std::vector<std::string>>()
                           : std::vector<std::string>{found->get<std::string>()};
}

std::vector<DimensionRule> dimension_rules(const Json& object, const std::string& pointer) {
  std::vector<DimensionRule> rules;
  for (const std::string& text : texts(object, "dimension", to_string(DimensionRule{}))) {
    rules.push_back(parsed(pointer + "/dimension", [&] { return parse_dimension_rule(text); }));
  }
  return rules;
}

void append_methods(const Json& object, const std::string& pointer, std::vector<Method>& methods) {
  const std::vector<DimensionRule> rules = dimension_rules(object, pointer);
  for (const std::string& kernel_name : texts(object, "kernel", {})) {
    const ExperimentKernel kernel = parse_experiment_kernel(kernel_name);
    for (const std::string& criterion : texts(object, "criterion", to_string(Method{}.criterion))) {
      if (!has_subspace(kernel)) {
        methods.push_back({kernel, parse_experiment_criterion(criterion), {}});
        continue;
      }
      for (const DimensionRule& rule : rules) {
        methods.push_back({kernel, parse_experiment_criterion(criterion), rule});
      }
    }
  }
}

DataFile data_file(const Json& json) {
  if (json.is_string()) {
    return {{json.get<std::string>()}, {}, 0};
  }
  DataFile file;
  read_field(json, "paths", file.paths);
  read_field(json, "origin", file.origin);
  read_field(json, "bytes", file.bytes);
  return file;
}

TableFiles table_files(const Json& json) { return {data_file(json.at("features")), data_file(json.at("labels"))}; }

SceneData scene_data(const Json& json) {
  SceneData scene{data_file(json.at("image")), data_file(json.at("train")), {}};
  for (const Json& test : json.at("tests")) {
    scene.tests.push_back({test.at("name"), data_file(test.at("map"))});
  }
  return scene;
}

DataSpec data_spec(const Json& json, const std::string& pointer) {
  DataSpec data;
  read_field(json, "name", data.name);
  read_field(json, "classes", data.classes);
  read_field(json, "train_per_class", data.train_per_class);
  const bool tables = json.contains("tables");
  const bool scene = json.contains("scene");
  const bool simulated = json.contains("simulated");
  if (int{tables} + int{scene} + int{simulated} != 1) {
    throw ConfigError(pointer + " has " + (tables || scene || simulated ? "several" : "none") +
                      " of tables, scene and simulated; it must have exactly one");
  }
  if (tables) {
    data.source = TableData{table_files(json["tables"].at("train")), table_files(json["tables"].at("test"))};
  } else if (scene) {
    data.source = scene_data(json["scene"]);
  } else {
    SimulatedData source;
    source.scene = simulation_of(json["simulated"].at("scene"));
    read_field(json["simulated"], "train", source.train);
    read_field(json["simulated"], "test", source.test);
    data.source = source;
  }
  return data;
}

KernelShapeSpec kernel_shape(const Json& json) {
  KernelShapeSpec shape;
  read_field(json, "covariance", shape.covariance);
  read_field(json, "half_width", shape.half_width);
  read_field(json, "points", shape.points);
  read_field(json, "contour", shape.contour);
  for (const Json& surface : json.at("surfaces")) {
    shape.surfaces.push_back({surface.at("title"), parse_experiment_kernel(surface.at("kernel")),
                              surface.at("sigma_squared").get<std::vector<double>>()});
  }
  return shape;
}

void append_published(const Json& json, const std::string& pointer, std::vector<PublishedValue>& published) {
  PublishedValue value;
  read_field(json, "source", value.source);
  read_field(json, "quantity", value.quantity);
  read_field(json, "data", value.data);
  read_field(json, "test", value.test);
  Method method;
  method.kernel = parse_experiment_kernel(json.at("kernel"));
  method.criterion = parse_experiment_criterion(json.value("criterion", to_string(method.criterion)));
  if (const std::string rule = json.value("dimension", ""); !rule.empty()) {
    method.dimension = parsed(pointer + "/dimension", [&] { return parse_dimension_rule(rule); });
  }
  value.method = name_of(method);
  if (json.contains("value") == json.contains("values")) {
    throw ConfigError(pointer + " has " + (json.contains("value") ? "both" : "none") +
                      " of value and values; it must have exactly one");
  }
  if (json.contains("value")) {
    read_field(json, "value", value.value);
    published.push_back(value);
    return;
  }
  for (const auto& [name, number] : json["values"].items()) {
    value.class_name = name;
    value.value = number;
    published.push_back(value);
  }
}

ExperimentSpec experiment_of(const Json& json) {
  ExperimentSpec spec;
  read_field(json, "title", spec.title);
  read_field(json, "description", spec.description);
  read_field(json, "repeats", spec.repeats);
  read_field(json, "seed", spec.seed);
  spec.scaling = parse_scaling_rule(json.value("scaling", to_string(spec.scaling)));
  const Json nothing = Json::array();
  const Json& methods = json.contains("methods") ? json["methods"] : nothing;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    append_methods(methods[i], at("methods", i), spec.methods);
  }
  const Json& data = json.contains("data") ? json["data"] : nothing;
  for (std::size_t i = 0; i < data.size(); ++i) {
    spec.data.push_back(data_spec(data[i], at("data", i)));
  }
  if (json.contains("kernel_shape")) {
    spec.kernel_shape = kernel_shape(json["kernel_shape"]);
  }
  const Json& published = json.contains("published") ? json["published"] : nothing;
  for (std::size_t i = 0; i < published.size(); ++i) {
    append_published(published[i], at("published", i), spec.published);
  }
  return spec;
}

}  // namespace

ExperimentSpec parse_experiment(const std::string& text) {
  const Json document = parse_json(text);
  check_document(document, resolved_schema(experiment_schema(), {{"simulation.schema.json", simulation_schema()}}));
  ExperimentSpec spec = experiment_of(document);
  check_experiment(spec);
  return spec;
}

ExperimentSpec read_experiment(const std::string& path) {
  const std::string text = read_text(path, "experiment");
  try {
    return parse_experiment(text);
  } catch (const ConfigError& error) {
    throw ConfigError(path + ": " + error.what());
  }
}

std::string experiment_json(const ExperimentSpec& spec) { return document_text(experiment_document(spec)); }

}  // namespace parsimap
