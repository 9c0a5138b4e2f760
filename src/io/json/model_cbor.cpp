#include "model_cbor.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

#include "parsimap/core/error.hpp"

#include "cbor_node.hpp"
#include "model_rules.hpp"
#include "plain_cbor.hpp"

namespace parsimap {
namespace {

using nlohmann::json;

constexpr int payload_depth = 7;  // the deepest list is /provenance/validation/results/0/confusion/shape

// ---- model -> document ----

json machine_document(const BinaryMachine& machine) {
  const SelectionRecord& selection = machine.selection;
  return {{"samples", machine.samples},
          {"directions", array_document(machine.metric.directions)},
          {"weights", array_document(machine.metric.weights)},
          {"rest_weight", machine.metric.rest_weight},
          {"C", machine.C},
          {"bias", machine.bias},
          {"support", array_document(machine.support)},
          {"coefficients", array_document(machine.coefficients)},
          {"kkt_violation", machine.kkt_violation},
          {"solver_stop", machine.solver_stop},
          {"selection",
           {{"criterion", selection.criterion},
            {"value", selection.value},
            {"evaluations", selection.evaluations},
            {"stop_reason", selection.stop_reason},
            {"trace", array_document(Eigen::Map<const Vector>(selection.trace.data(),
                                                              static_cast<Index>(selection.trace.size())))}}}};
}

json novelty_document(const ClassNovelty& novelty) {
  const SubspaceModel& subspace = novelty.gaussian.subspace;
  return {{"mean", array_document(novelty.gaussian.mean)},
          {"directions", array_document(subspace.directions)},
          {"variances", array_document(subspace.variances)},
          {"noise_variance", subspace.noise_variance},
          {"distances", array_document(novelty.tail.values)},
          {"tail_probabilities", array_document(novelty.tail.probabilities)},
          {"tail_exponent", novelty.tail.exponent}};
}

json validation_document(const Validation& validation) {
  json results = json::array();
  for (const ValidationFold& fold : validation.results) {
    results.push_back({{"repeat", fold.repeat},
                       {"fold", fold.number},
                       {"training_pixels", fold.training_pixels},
                       {"buffered_pixels", fold.buffered_pixels},
                       {"untested_pixels", fold.untested_pixels},
                       {"confusion", count_document(fold.confusion)}});
  }
  return {{"folds", validation.folds},   {"repeats", validation.repeats}, {"grouping", validation.grouping},
          {"groups", validation.groups}, {"buffer", validation.buffer},   {"buffer_unit", validation.buffer_unit},
          {"results", results}};
}

json left_out_document(const LeftOutScores& left_out) {
  json by_region = json::array();
  for (const bool regions : left_out.by_region) {
    by_region.push_back(regions);
  }
  return {{"accuracy", left_out.accuracy},
          {"samples", left_out.samples},
          {"units", left_out.units},
          {"by_region", by_region}};
}

json shape_document(const MetricShape& shape) {
  return {{"blend", shape.blend}, {"damping", shape.damping}, {"rest", shape.rest}};
}

json scan_document(const std::vector<ShapeScore>& scan) {
  json scores = json::array();
  for (const ShapeScore& score : scan) {
    scores.push_back({{"shape", shape_document(score.shape)},
                      {"width", score.point.width},
                      {"C", score.point.C},
                      {"risk", score.risk},
                      {"gain", score.gain},
                      {"gain_error", score.gain_error},
                      {"samples", score.samples}});
  }
  return scores;
}

json provenance_document(const Provenance& provenance) {
  json options = json::array();
  for (const auto& [name, value] : provenance.options) {
    options.push_back(json::array({name, value}));
  }
  json inputs = json::array();
  for (const InputFile& input : provenance.inputs) {
    inputs.push_back({{"path", input.path}, {"bytes", input.bytes}});
  }
  return {{"program_version", provenance.program_version},
          {"options", options},
          {"seed", provenance.seed},
          {"inputs", inputs},
          {"training_pixels", provenance.training_pixels},
          {"left_out", left_out_document(provenance.left_out)},
          {"validation", provenance.validation ? validation_document(*provenance.validation) : json(nullptr)}};
}

json model_document(const Model& model) {
  json classes = json::array();
  for (const ClassEntry& entry : model.classes) {
    classes.push_back(
        {{"code", entry.code}, {"name", entry.name}, {"colour", entry.colour ? json(*entry.colour) : json(nullptr)}});
  }
  json bands = json::array();
  for (const Band& band : model.band_table) {
    bands.push_back({{"name", band.name},
                     {"wavelength", band.wavelength ? json(*band.wavelength) : json(nullptr)},
                     {"bad", band.bad},
                     {"scale", band.scale},
                     {"offset", band.offset}});
  }
  json dropped = json::array();
  for (const DroppedBand& band : model.dropped_bands) {
    dropped.push_back({{"band", band.band}, {"reason", band.reason}});
  }
  json machines = json::array();
  for (const BinaryMachine& machine : model.machines) {
    machines.push_back(machine_document(machine));
  }
  json novelty = json::array();
  for (const ClassNovelty& one : model.novelty) {
    novelty.push_back(novelty_document(one));
  }
  return {{"classes", classes},
          {"kernel", to_string(model.family)},
          {"scene_bands", model.scene_bands},
          {"bands", array_document(model.bands)},
          {"band_table", bands},
          {"dropped_bands", dropped},
          {"scaling",
           {{"rule", to_string(model.scaling_rule)},
            {"offset", array_document(model.scaling.offset)},
            {"scale", array_document(model.scaling.scale)}}},
          {"support_spectra", array_document(model.support_spectra)},
          {"machines", machines},
          {"novelty", novelty},
          {"softmax_slope", model.softmax_slope},
          {"shape", shape_document(model.shape)},
          {"scan", scan_document(model.scan)},
          {"provenance", provenance_document(model.provenance)}};
}

// ---- document -> model ----

ClassTable read_classes(const CborNode& node) {
  ClassTable classes;
  for (const CborNode& item : node.items()) {
    ClassEntry entry{static_cast<int>(item["code"].integer(65535)), item["name"].text(), std::nullopt};
    if (!item["colour"].is_null()) {
      const std::vector<CborNode> parts = item["colour"].items(3);
      Colour colour{};
      for (std::size_t i = 0; i < colour.size(); ++i) {
        colour[i] = static_cast<std::uint8_t>(parts[i].integer(255));
      }
      entry.colour = colour;
    }
    classes.push_back(std::move(entry));
  }
  return classes;
}

BandTable read_bands(const CborNode& node) {
  BandTable bands;
  for (const CborNode& item : node.items()) {
    const CborNode wavelength = item["wavelength"];
    bands.push_back({item["name"].text(),
                     wavelength.is_null() ? std::nullopt : std::optional<double>(wavelength.number()),
                     item["bad"].truth(), item["scale"].number(), item["offset"].number()});
  }
  return bands;
}

std::vector<DroppedBand> read_dropped_bands(const CborNode& node) {
  std::vector<DroppedBand> dropped;
  for (const CborNode& item : node.items()) {
    dropped.push_back({item["band"].integer(), item["reason"].text()});
  }
  return dropped;
}

BinaryMachine read_machine(const CborNode& node) {
  BinaryMachine machine;
  machine.samples = node["samples"].integer();
  machine.metric.directions = node["directions"].matrix();
  machine.metric.weights = node["weights"].vector();
  machine.metric.rest_weight = node["rest_weight"].number();
  machine.C = node["C"].number();
  machine.bias = node["bias"].number();
  machine.support = node["support"].indices();
  machine.coefficients = node["coefficients"].vector();
  machine.kkt_violation = node["kkt_violation"].number();
  machine.solver_stop = node["solver_stop"].text();
  const CborNode selection = node["selection"];
  machine.selection = {selection["criterion"].text(), selection["value"].number(), selection["evaluations"].integer(),
                       selection["stop_reason"].text()};
  const Vector trace = selection["trace"].vector();
  machine.selection.trace = {trace.begin(), trace.end()};
  return machine;
}

ClassNovelty read_novelty(const CborNode& node) {
  ClassNovelty novelty;
  novelty.gaussian.mean = node["mean"].vector();
  novelty.gaussian.subspace = {node["directions"].matrix(), node["variances"].vector(),
                               node["noise_variance"].number()};
  novelty.tail = {node["distances"].vector(), node["tail_probabilities"].vector(), node["tail_exponent"].number()};
  return novelty;
}

Validation read_validation(const CborNode& node) {
  Validation validation;
  validation.folds = node["folds"].integer();
  validation.repeats = node["repeats"].integer();
  validation.grouping = node["grouping"].text();
  validation.groups = node["groups"].integer();
  validation.buffer = node["buffer"].number();
  validation.buffer_unit = node["buffer_unit"].text();
  for (const CborNode& item : node["results"].items()) {
    validation.results.push_back({item["repeat"].integer(), item["fold"].integer(), item["training_pixels"].integer(),
                                  item["buffered_pixels"].integer(), item["untested_pixels"].integer(),
                                  item["confusion"].counts()});
  }
  return validation;
}

LeftOutScores read_left_out(const CborNode& node) {
  LeftOutScores left_out;
  left_out.accuracy = node["accuracy"].number();
  left_out.samples = node["samples"].integer();
  left_out.units = node["units"].integer();
  for (const CborNode& item : node["by_region"].items()) {
    left_out.by_region.push_back(item.truth());
  }
  return left_out;
}

MetricShape read_shape(const CborNode& node) {
  return {node["blend"].number(), node["damping"].number(), node["rest"].truth()};
}

std::vector<ShapeScore> read_scan(const CborNode& node) {
  std::vector<ShapeScore> scan;
  for (const CborNode& item : node.items()) {
    scan.push_back({read_shape(item["shape"]),
                    {item["width"].number(), item["C"].number()},
                    item["risk"].number(),
                    item["gain"].number(),
                    item["gain_error"].number(),
                    item["samples"].integer()});
  }
  return scan;
}

Provenance read_provenance(const CborNode& node) {
  Provenance provenance;
  provenance.program_version = node["program_version"].text();
  for (const CborNode& option : node["options"].items()) {
    const std::vector<CborNode> pair = option.items(2);
    provenance.options.emplace_back(pair[0].text(), pair[1].text());
  }
  provenance.seed = node["seed"].unsigned_integer();
  for (const CborNode& input : node["inputs"].items()) {
    provenance.inputs.push_back({input["path"].text(), input["bytes"].integer()});
  }
  provenance.training_pixels = node["training_pixels"].integer();
  provenance.left_out = read_left_out(node["left_out"]);
  if (const CborNode validation = node["validation"]; !validation.is_null()) {
    provenance.validation = read_validation(validation);
  }
  return provenance;
}

Model read_model(const CborNode& node) {
  Model model;
  model.classes = read_classes(node["classes"]);
  model.scene_bands = node["scene_bands"].integer();
  model.bands = node["bands"].indices();
  model.band_table = read_bands(node["band_table"]);
  model.dropped_bands = read_dropped_bands(node["dropped_bands"]);
  model.scaling = {node["scaling"]["offset"].vector(), node["scaling"]["scale"].vector()};
  try {
    model.family = parse_kernel_family(node["kernel"].text());
    model.scaling_rule = parse_scaling_rule(node["scaling"]["rule"].text());
  } catch (const ConfigError& error) {
    throw DataError(error.what());
  }
  model.support_spectra = node["support_spectra"].matrix();
  for (const CborNode& item : node["machines"].items()) {
    model.machines.push_back(read_machine(item));
  }
  for (const CborNode& item : node["novelty"].items()) {
    model.novelty.push_back(read_novelty(item));
  }
  model.softmax_slope = node["softmax_slope"].number();
  model.shape = read_shape(node["shape"]);
  model.scan = read_scan(node["scan"]);
  model.provenance = read_provenance(node["provenance"]);
  return model;
}

}  // namespace

std::string model_to_cbor(const Model& model) {
  std::string bytes;
  json::to_cbor(model_document(model), bytes);
  return bytes;
}

Model model_from_cbor(std::string_view bytes) {
  if (!is_plain_cbor(bytes, payload_depth)) {
    throw DataError("the content is not plain CBOR");
  }
  try {
    const json document = json::from_cbor(bytes);
    Model model = read_model(CborNode(document, ""));
    check_model(model);
    return model;
  } catch (const json::exception& error) {
    throw DataError("the content is not a model: " + std::string(error.what()));
  }
}

}  // namespace parsimap
