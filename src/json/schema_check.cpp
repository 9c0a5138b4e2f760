#include "schema_check.hpp"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <optional>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "json_fields.hpp"

namespace parsimap {
namespace {

using nlohmann::json;

std::string keys_of(const json& object) {
  return separated(object.items(), ", ", [](const auto& item) { return item.key(); });
}

std::string range_of(const json& rule) {
  std::vector<std::string> limits;
  for (const auto& [key, words] : {std::pair("exclusiveMinimum", "greater than "), std::pair("minimum", "at least "),
                                   std::pair("exclusiveMaximum", "less than "), std::pair("maximum", "at most ")}) {
    if (rule.contains(key)) {
      limits.push_back(words + rule[key].dump());
    }
  }
  return limits.empty() ? "" : " " + separated(limits, ", ");
}

// The plural of what a list holds.
std::string unit_of(const json& item) {
  const std::string type = item.contains("enum") || item.contains("anyOf") ? "string" : item.at("type");
  return type == "object"    ? "objects"
         : type == "array"   ? "lists"
         : type == "integer" ? "whole numbers"
         : type == "number"  ? "numbers"
                             : "texts";
}

std::string length_of(const json& rule) {
  std::string unit = unit_of(rule.at("items"));
  if (!rule.contains("minItems")) {
    return " of " + unit;
  }
  if (rule["minItems"] == 1) {
    unit.pop_back();
  }
  // Equal bounds are a fixed length, "a list of 3 numbers".
  const bool exact = rule["minItems"] == rule.value("maxItems", json());
  return (exact ? " of " : " of at least ") + rule["minItems"].dump() + " " + unit;
}

// Such as "a whole number at least 1".
std::string allowed(const json& rule) {
  if (rule.contains("anyOf")) {
    return separated(rule["anyOf"], ", or ", allowed);
  }
  if (rule.contains("enum")) {
    return "one of " + separated(rule["enum"].get<std::vector<std::string>>(), ", ");
  }
  const std::string type = rule.at("type");
  if (type == "integer" || type == "number") {
    return (type == "integer" ? "a whole number" : "a number") + range_of(rule);
  }
  if (type == "string") {
    return rule.contains("minLength") ? "text that is not empty" : "text";
  }
  return type == "object" ? "an object" : type == "boolean" ? "true or false" : "a list" + length_of(rule);
}

struct Place {
  const json* value;
  const json* rule;
  std::string pointer;
};

// valijson's context: "<root>", then "[key]" and "[index]".
std::optional<std::vector<std::string>> first_violation(const json& document, const json& rules) {
  // valijson reports only where and that a rule is violated. The sentence for the user is made here, from the rule at
  // that place. Strong types refuse texts in the place of numbers.
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(rules), schema);
  valijson::ValidationResults results;
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) {
    return std::nullopt;
  }
  return results.begin()->context;
}

Place below(const Place& place, const std::string& context) {
  // The context is "[key]" or "[index]". Value and rule descend together: an index leads to the rule `items` of a list,
  // a key to its property, or to `additionalProperties` for maps with free keys.
  const std::string step = context.substr(1, context.size() - 2);
  const std::string pointer = place.pointer + json::json_pointer().operator/=(step).to_string();
  if (place.value->is_array()) {
    return {&place.value->at(std::stoul(step)), &place.rule->at("items"), pointer};
  }
  const auto properties = place.rule->find("properties");
  const bool named = properties != place.rule->end() && properties->contains(step);
  return {&place.value->at(step), named ? &properties->at(step) : &place.rule->at("additionalProperties"), pointer};
}

bool is_of_type(const json& value, const json& rule) {
  const std::string type = rule.contains("enum") ? "string" : rule.at("type");
  return type == "object" ? value.is_object() : type == "array" ? value.is_array() : value.is_string();
}

std::string shortened(const json& value) {
  const std::string text = line_of(value);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

std::string sentence(const Place& place) {
  const auto& [value, rule, pointer] = place;
  if (value->is_object() && rule->contains("properties")) {
    const json& properties = rule->at("properties");
    // Unknown and missing keys of an object are named before anything else, with the keys that are known.
    for (const auto& [key, ignored] : value->items()) {
      if (!properties.contains(key)) {
        return pointer + json::json_pointer().operator/=(key).to_string() + " is unknown; known here are " +
               keys_of(properties);
      }
    }
    for (const std::string key : rule->value("required", json::array())) {
      if (!value->contains(key)) {
        return pointer + "/" + key + " is missing; it must be " + allowed(properties[key]);
      }
    }
  }
  return (pointer.empty() ? "the document" : pointer) + " is " + shortened(*value) + "; it must be " + allowed(*rule);
}

std::string violation(Place place) {
  const auto steps = first_violation(*place.value, *place.rule);
  if (!steps) {
    return {};
  }
  // Within anyOf the context of valijson need not be that of the branch that was meant. The descent stops there, and
  // the validation is repeated with the single branch that fits the type of the value.
  for (std::size_t i = 1; i < steps->size() && !place.rule->contains("anyOf"); ++i) {
    place = below(place, (*steps)[i]);
  }
  for (const json& branch : place.rule->value("anyOf", json::array())) {
    // The type of the value shows which branch was meant.
    if (is_of_type(*place.value, branch)) {
      return violation({place.value, &branch, place.pointer});
    }
  }
  return sentence(place);
}

json resolved(const json& rule, const json& root, const std::map<std::string, std::string>& others) {
  if (rule.is_array()) {
    return mapped<json>(rule, [&](const json& entry) { return resolved(entry, root, others); });
  }
  if (!rule.is_object()) {
    return rule;
  }
  json result = json::object();
  // References are replaced by their targets, within this schema (#/...) or in another file, so that rules can be
  // followed without looking anything up. The schemas of the program have no recursive references, and the replacement
  // ends.
  if (const auto reference = rule.find("$ref"); reference != rule.end()) {
    const std::string target = *reference;
    result = target.starts_with('#') ? resolved(root.at(json::json_pointer(target.substr(1))), root, others)
                                     : resolved_schema(others.at(target));
  }
  for (const auto& [key, value] : rule.items()) {
    if (key != "$ref") {
      result[key] = resolved(value, root, others);
    }
  }
  return result;
}

}  // namespace

json resolved_schema(const std::string& text, const std::map<std::string, std::string>& others) {
  const json schema = parse_json(text);
  return resolved(schema, schema, others);
}

void check_document(json document, const json& schema) {
  if (document.is_object()) {
    document.erase("$schema");
  }
  if (const std::string text = violation({&document, &schema, ""}); !text.empty()) {
    throw ConfigError(text);
  }
}

}  // namespace parsimap
