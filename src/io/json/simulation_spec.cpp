#include "parsimap/io/json/simulation_spec.hpp"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <fstream>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

using nlohmann::json;

// ---- what the schema says, as a sentence ----

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ");
    text += word;
  }
  return text;
}

std::vector<std::string> keys_of(const json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, ignored] : object.items()) {
    keys.push_back(key);
  }
  return keys;
}

std::string range_of(const json& rule) {
  std::vector<std::string> limits;
  if (rule.contains("exclusiveMinimum")) {
    limits.push_back("greater than " + rule["exclusiveMinimum"].dump());
  }
  if (rule.contains("minimum")) {
    limits.push_back("at least " + rule["minimum"].dump());
  }
  if (rule.contains("maximum")) {
    limits.push_back("at most " + rule["maximum"].dump());
  }
  return limits.empty() ? "" : " " + joined(limits);
}

std::string length_of(const json& rule, const std::string& unit) {
  const bool exact = rule.contains("minItems") && rule.value("minItems", 0) == rule.value("maxItems", -1);
  if (exact) {
    return " of " + rule["minItems"].dump() + " " + unit;
  }
  return rule.contains("minItems") ? " of at least " + rule["minItems"].dump() + " " + unit : " of " + unit;
}

// What a value must be, such as "a whole number at least 1".
std::string allowed(const json& rule) {
  if (rule.contains("enum")) {
    return "one of " + joined(rule["enum"].get<std::vector<std::string>>());
  }
  const std::string type = rule.at("type");
  if (type == "integer") {
    return "a whole number" + range_of(rule);
  }
  if (type == "number") {
    return "a number" + range_of(rule);
  }
  if (type == "string") {
    return "text that is not empty";
  }
  if (type == "object") {
    return "an object";
  }
  const std::string item = rule["items"].at("type");
  return "a list" + length_of(rule, item == "object" ? "objects" : item == "integer" ? "whole numbers" : "numbers");
}

std::string shortened(const json& value) {
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

// The sentence about the value at `pointer` that breaks `rule`: valijson says where, but not what would be right.
std::string explanation(const json& value, const json& rule, const std::string& pointer) {
  if (value.is_object() && rule.contains("properties")) {
    const json& properties = rule["properties"];
    for (const std::string& key : keys_of(value)) {
      if (!properties.contains(key)) {
        return pointer + "/" + key + " is unknown; known here are " + joined(keys_of(properties));
      }
    }
    for (const std::string key : rule.value("required", json::array())) {
      if (!value.contains(key)) {
        return pointer + "/" + key + " is missing; it must be " + allowed(properties[key]);
      }
    }
  }
  return (pointer.empty() ? "the document" : pointer) + " is " + shortened(value) + "; it must be " + allowed(rule);
}

// valijson's context is a list of "<root>", "[key]" and "[index]".
std::string explanation(const valijson::ValidationResults::Error& error, const json& document, const json& schema) {
  const json* value = &document;
  const json* rule = &schema;
  std::string pointer;
  for (std::size_t i = 1; i < error.context.size(); ++i) {
    const std::string step = error.context[i].substr(1, error.context[i].size() - 2);
    pointer += "/" + step;
    if (value->is_array()) {
      value = &value->at(std::stoul(step));
      rule = &rule->at("items");
    } else {
      value = &value->at(step);
      rule = &rule->at("properties").at(step);
    }
  }
  return explanation(*value, *rule, pointer);
}

void validate(const json& document) {
  const json text = json::parse(simulation_schema());
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  valijson::ValidationResults results;
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  if (!validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) {
    throw ConfigError(explanation(*results.begin(), document, text));
  }
}

// ---- document -> options ----

template <typename Field>
void read(const json& object, const char* key, Field& field) {
  if (const auto found = object.find(key); found != object.end()) {
    field = found->get<Field>();
  }
}

template <typename Field>
void read(const json& object, const char* key, std::optional<Field>& field) {
  if (const auto found = object.find(key); found != object.end()) {
    field = found->get<Field>();
  }
}

SimulatedClassSpec class_spec(const json& object) {
  SimulatedClassSpec spec;
  read(object, "name", spec.name);
  read(object, "dimension", spec.dimension);
  read(object, "variances", spec.variances);
  read(object, "largest_variance", spec.largest_variance);
  read(object, "decay", spec.decay);
  read(object, "noise_variance", spec.noise_variance);
  read(object, "weight", spec.weight);
  read(object, "mean", spec.mean);
  read(object, "colour", spec.colour);
  return spec;
}

LayoutSpec layout_spec(const json& object) {
  LayoutSpec spec;
  read(object, "kind", spec.kind);
  read(object, "sites", spec.sites);
  read(object, "stripe_width", spec.stripe_width);
  read(object, "block_size", spec.block_size);
  read(object, "map", spec.map);
  read(object, "gap", spec.gap);
  return spec;
}

MixingSpec mixing_spec(const json& object) {
  MixingSpec spec;
  read(object, "fraction", spec.fraction);
  read(object, "strength", spec.strength);
  read(object, "reach", spec.reach);
  return spec;
}

PolygonSpec polygon_spec(const json& object) {
  PolygonSpec spec;
  read(object, "per_class", spec.per_class);
  read(object, "smallest_radius", spec.smallest_radius);
  read(object, "largest_radius", spec.largest_radius);
  read(object, "train_fraction", spec.train_fraction);
  return spec;
}

SimulationSpec simulation_spec(const json& object) {
  SimulationSpec spec;
  read(object, "width", spec.width);
  read(object, "height", spec.height);
  read(object, "bands", spec.bands);
  read(object, "first_wavelength", spec.first_wavelength);
  read(object, "last_wavelength", spec.last_wavelength);
  read(object, "pixel_size", spec.pixel_size);
  read(object, "origin", spec.origin);
  read(object, "epsg", spec.epsg);
  read(object, "seed", spec.seed);
  read(object, "separation", spec.separation);
  read(object, "subspace", spec.subspace);
  read(object, "snr", spec.snr);
  read(object, "epsilon", spec.epsilon);
  read(object, "scale", spec.scale);
  spec.layout = layout_spec(object.value("layout", json::object()));
  spec.mixing = mixing_spec(object.value("mixing", json::object()));
  spec.polygons = polygon_spec(object.value("polygons", json::object()));
  for (const json& entry : object.at("classes")) {
    spec.classes.push_back(class_spec(entry));
  }
  return spec;
}

json parse(std::istream& file) {
  try {
    return json::parse(file);
  } catch (const json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: ..." without nlohmann's own code.
    const std::string text = error.what();
    throw ConfigError("not valid JSON: " + text.substr(text.find("] ") + 2));
  }
}

}  // namespace

SimulationSpec read_simulation_spec(const std::string& path) {
  std::ifstream file(path);
  if (!file || file.peek() == std::ifstream::traits_type::eof()) {
    throw ConfigError("simulation specification '" + path + "' cannot be read or is empty");
  }
  try {
    const json document = parse(file);
    validate(document);
    SimulationSpec spec = simulation_spec(document);
    check_simulation(spec);
    return spec;
  } catch (const ConfigError& error) {
    throw ConfigError(path + ": " + error.what());
  }
}

}  // namespace parsimap
