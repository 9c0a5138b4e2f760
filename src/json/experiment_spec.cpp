#include "parsimap/json/experiment_spec.hpp"

#include <tuple>

#include "parsimap/core/error.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/json/simulation_spec.hpp"

#include "json_fields.hpp"
#include "schema_check.hpp"

namespace parsimap {

static void parse(const std::string& text, ExperimentKernel& kernel) { kernel = parse_experiment_kernel(text); }

// A file is a map, or the text of its only path.
static void list_value(DataFile& file, Fields& field) {
  if (field.holds_text()) {
    file = {{""}, {}, 0, {}};
    field.value(file.paths.front());
    return;
  }
  field.map([&] { PARSIMAP_FIELDS(file, paths, origin, bytes, variable); });
}

static PARSIMAP_RECORD(TableFiles, features, labels);
static PARSIMAP_RECORD(TableData, train, test);
static PARSIMAP_RECORD(NamedMap, name, map);

static void list_fields(SceneData& scene, Fields& field) {
  field("image", scene.scene);
  PARSIMAP_FIELDS(scene, train, tests);
}

static PARSIMAP_RECORD(SimulatedData, scene, train, test);

// The source, which is one of three, is read and written by data_spec() and SourceDocument.
static PARSIMAP_RECORD(DataSpec, name, classes, train_per_class);

static void list_fields(KernelShapeSpec::Surface& surface, Fields& field) {
  PARSIMAP_FIELDS(surface, title, kernel, sigma_squared);
}

static PARSIMAP_RECORD(KernelShapeSpec, covariance, half_width, points, contour, surfaces);

// The value, which stands alone or beside those of other classes, is read and written by append_published() and
// published_documents().
static void list_fields(PublishedValue& published, Fields& field) {
  PARSIMAP_FIELDS(published, source, quantity, data, test);
  PARSIMAP_FIELDS(published.method, kernel, criterion, dimension);
}

// The lists of methods, data sets and published values, and the kernel shapes, are read and written by experiment_of()
// and experiment_document().
static PARSIMAP_RECORD(ExperimentSpec, title, description, scaling, repeats, seed);

namespace {

// ---- document -> specification ----

// The items of a list that may be absent.
std::vector<Node> items_of(const Node& node, const char* key) {
  return node.has(key) ? node[key].items() : std::vector<Node>();
}

// A text or a list of texts; `fallback` when there is none.
std::vector<std::string> texts_of(const Node& node, const char* key, const std::string& fallback) {
  if (!node.has(key)) {
    return {fallback};
  }
  return node[key].json().is_array() ? value_of<std::vector<std::string>>(node[key], Form::spec)
                                     : std::vector<std::string>{node[key].text()};
}

// parse_dimension_rule() knows nothing of JSON, so the place is put in front of its message.
DimensionRule dimension_rule(const std::string& text, const Node& node) {
  return naming<ConfigError>(node.path() + "/dimension: ", [&] { return parse_dimension_rule(text); });
}

// Every combination of what is listed; kernels without a subspace have no dimension to combine with.
void append_methods(const Node& node, std::vector<Method>& methods) {
  const auto rules = mapped<DimensionRule>(texts_of(node, "dimension", to_string(DimensionRule{})),
                                           [&](const std::string& text) { return dimension_rule(text, node); });
  // The methods of an entry are the Cartesian product kernels x criteria x dimension rules, in this order, which is
  // also that of the tables in a report.
  for (const std::string& kernel : texts_of(node, "kernel", {})) {
    for (const std::string& criterion : texts_of(node, "criterion", to_string(Method{}.criterion))) {
      Method method{parse_experiment_kernel(kernel), parse_experiment_criterion(criterion), {}};
      if (name_of(method).dimension.empty()) {
        methods.push_back(method);
        continue;
      }
      for (const DimensionRule& rule : rules) {
        method.dimension = rule;
        methods.push_back(method);
      }
    }
  }
}

DataSpec data_spec(const Node& node) {
  DataSpec data = value_of<DataSpec>(node, Form::spec);
  const int sources = int{node.has("tables")} + int{node.has("scene")} + int{node.has("simulated")};
  if (sources != 1) {
    throw ConfigError(node.path() + " has " + (sources > 1 ? "several" : "none") +
                      " of tables, scene and simulated; it must have exactly one");
  }
  if (node.has("tables")) {
    data.source = value_of<TableData>(node["tables"], Form::spec);
  } else if (node.has("scene")) {
    data.source = value_of<SceneData>(node["scene"], Form::spec);
  } else {
    data.source = value_of<SimulatedData>(node["simulated"], Form::spec);
  }
  return data;
}

void append_published(const Node& node, std::vector<PublishedValue>& published) {
  PublishedValue value = value_of<PublishedValue>(node, Form::spec);
  Method method;
  method.kernel = parse_experiment_kernel(value.method.kernel);
  if (!value.method.criterion.empty()) {
    method.criterion = parse_experiment_criterion(value.method.criterion);
  }
  if (!value.method.dimension.empty()) {
    method.dimension = dimension_rule(value.method.dimension, node);
  }
  // Names are normalised by parsing and writing them again, so that published values are found by the names that runs
  // have.
  value.method = name_of(method);
  if (node.has("value") == node.has("values")) {
    throw ConfigError(node.path() + " has " + (node.has("value") ? "both" : "none") +
                      " of value and values; it must have exactly one");
  }
  if (node.has("value")) {
    value.value = node["value"].number();
    published.push_back(value);
    return;
  }
  for (const auto& [name, number] : node.json()["values"].items()) {
    value.class_name = name;
    value.value = number;
    published.push_back(value);
  }
}

ExperimentSpec experiment_of(const Node& node) {
  ExperimentSpec spec = value_of<ExperimentSpec>(node, Form::spec);
  for (const Node& entry : items_of(node, "methods")) {
    append_methods(entry, spec.methods);
  }
  spec.data = mapped<DataSpec>(items_of(node, "data"), data_spec);
  if (node.has("kernel_shape")) {
    spec.kernel_shape = value_of<KernelShapeSpec>(node["kernel_shape"], Form::spec);
  }
  for (const Node& entry : items_of(node, "published")) {
    append_published(entry, spec.published);
  }
  return spec;
}

// ---- specification -> document ----

Json method_document(const Method& method) {
  const MethodName name = name_of(method);
  Json json = {{"kernel", name.kernel}, {"criterion", name.criterion}};
  if (!name.dimension.empty()) {
    json["dimension"] = name.dimension;
  }
  return json;
}

struct SourceDocument {
  Json& data;

  void operator()(const TableData& tables) const { data["tables"] = document_of(tables, Form::spec); }
  void operator()(const SceneData& scene) const { data["scene"] = document_of(scene, Form::spec); }
  void operator()(const SimulatedData& simulated) const { data["simulated"] = document_of(simulated, Form::spec); }
};

// What published values of one entry have in common.
auto entry_of(const PublishedValue& value) {
  return std::tie(value.source, value.quantity, value.data, value.test, value.method.kernel, value.method.criterion,
                  value.method.dimension);
}

// Values of one method and quantity stand side by side, by class.
Json published_documents(const std::vector<PublishedValue>& published) {
  Json json = Json::array();
  for (std::size_t i = 0; i < published.size(); ++i) {
    const PublishedValue& value = published[i];
    // Consecutive values with equal source, quantity, data, test and method become one entry with a map from class to
    // value, the form in which append_published() reads them. A class that occurs twice begins a new entry.
    const bool continues = i > 0 && entry_of(value) == entry_of(published[i - 1]) && json.back().contains("values") &&
                           !value.class_name.empty() && !json.back()["values"].contains(value.class_name);
    if (!continues) {
      json.push_back(document_of(value, Form::spec));
    }
    (value.class_name.empty() ? json.back()["value"] : json.back()["values"][value.class_name]) = value.value;
  }
  return json;
}

// Every field that is set, defaults included, and one entry per method.
Json experiment_document(const ExperimentSpec& spec) {
  Json json = document_of(spec, Form::spec);
  json["methods"] = Json::array();
  for (const Method& method : spec.methods) {
    json["methods"].push_back(method_document(method));
  }
  json["data"] = Json::array();
  for (const DataSpec& data : spec.data) {
    json["data"].push_back(document_of(data, Form::spec));
    std::visit(SourceDocument{json["data"].back()}, data.source);
  }
  if (spec.kernel_shape) {
    json["kernel_shape"] = document_of(*spec.kernel_shape, Form::spec);
  }
  json["published"] = published_documents(spec.published);
  return json;
}

}  // namespace

ExperimentSpec parse_experiment(const std::string& text) {
  const Json document = parse_json(text);
  // The schema tests types, ranges and unknown keys and gives the position of a violation. Relations between fields,
  // which it cannot express, are tested by check_experiment().
  static const nlohmann::json schema =
      resolved_schema(experiment_schema(), {{"simulation.schema.json", simulation_schema()}});
  check_document(document, schema);
  ExperimentSpec spec = experiment_of(Node(document));
  check_experiment(spec);
  return spec;
}

ExperimentSpec read_experiment(const std::string& path) {
  const std::string text = read_json_text(path, "experiment");
  return naming<ConfigError>(path + ": ", [&] { return parse_experiment(text); });
}

std::string experiment_json(const ExperimentSpec& spec) { return text_of(experiment_document(spec)); }

}  // namespace parsimap
