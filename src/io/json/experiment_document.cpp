#include "experiment_document.hpp"

#include <tuple>

#include "simulation_document.hpp"

namespace parsimap {
namespace {

Json method_document(const Method& method) {
  const MethodName name = name_of(method);
  Json json = {{"kernel", name.kernel}, {"criterion", name.criterion}};
  if (!name.dimension.empty()) {
    json["dimension"] = name.dimension;
  }
  return json;
}

Json file_document(const DataFile& file) {
  return {{"paths", file.paths}, {"origin", file.origin}, {"bytes", file.bytes}};
}

Json table_document(const TableFiles& table) {
  return {{"features", file_document(table.features)}, {"labels", file_document(table.labels)}};
}

struct SourceDocument {
  Json& data;

  void operator()(const TableData& tables) const {
    data["tables"] = {{"train", table_document(tables.train)}, {"test", table_document(tables.test)}};
  }
  void operator()(const SceneData& scene) const {
    Json tests = Json::array();
    for (const NamedMap& test : scene.tests) {
      tests.push_back({{"name", test.name}, {"map", file_document(test.map)}});
    }
    data["scene"] = {{"image", file_document(scene.scene)}, {"train", file_document(scene.train)}, {"tests", tests}};
  }
  void operator()(const SimulatedData& simulated) const {
    data["simulated"] = {
        {"scene", simulation_document(simulated.scene)}, {"train", simulated.train}, {"test", simulated.test}};
  }
};

Json data_document(const DataSpec& data) {
  Json json = {{"name", data.name}, {"classes", data.classes}};
  if (data.train_per_class) {
    json["train_per_class"] = *data.train_per_class;
  }
  std::visit(SourceDocument{json}, data.source);
  return json;
}

Json shape_document(const KernelShapeSpec& shape) {
  Json surfaces = Json::array();
  for (const KernelShapeSpec::Surface& surface : shape.surfaces) {
    surfaces.push_back(
        {{"title", surface.title}, {"kernel", to_string(surface.kernel)}, {"sigma_squared", surface.sigma_squared}});
  }
  return {{"covariance", shape.covariance},
          {"half_width", shape.half_width},
          {"points", shape.points},
          {"contour", shape.contour},
          {"surfaces", surfaces}};
}

// What the classes of one entry have in common.
auto entry_of(const PublishedValue& value) {
  return std::tie(value.source, value.quantity, value.data, value.test, value.method.kernel, value.method.criterion,
                  value.method.dimension);
}

Json published_document(const PublishedValue& value) {
  return {{"source", value.source},
          {"quantity", value.quantity},
          {"data", value.data},
          {"test", value.test},
          {"kernel", value.method.kernel},
          {"criterion", value.method.criterion},
          {"dimension", value.method.dimension}};
}

Json published_documents(const std::vector<PublishedValue>& published) {
  Json json = Json::array();
  for (std::size_t i = 0; i < published.size(); ++i) {
    const PublishedValue& value = published[i];
    if (value.class_name.empty()) {
      json.push_back(published_document(value));
      json.back()["value"] = value.value;
      continue;
    }
    const bool continues = i > 0 && entry_of(value) == entry_of(published[i - 1]) && json.back().contains("values") &&
                           !json.back()["values"].contains(value.class_name);
    if (!continues) {
      json.push_back(published_document(value));
    }
    json.back()["values"][value.class_name] = value.value;
  }
  return json;
}

}  // namespace

Json experiment_document(const ExperimentSpec& spec) {
  Json json = {{"title", spec.title},
               {"description", spec.description},
               {"scaling", to_string(spec.scaling)},
               {"repeats", spec.repeats},
               {"seed", spec.seed},
               {"methods", Json::array()},
               {"data", Json::array()}};
  for (const Method& method : spec.methods) {
    json["methods"].push_back(method_document(method));
  }
  for (const DataSpec& data : spec.data) {
    json["data"].push_back(data_document(data));
  }
  if (spec.kernel_shape) {
    json["kernel_shape"] = shape_document(*spec.kernel_shape);
  }
  json["published"] = published_documents(spec.published);
  return json;
}

}  // namespace parsimap
