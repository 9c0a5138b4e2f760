// A document against a JSON Schema, with a sentence for the user: a validator says where, but not what would be right.
//
// The part of JSON Schema (draft 7) that has sentences: type, enum of texts, properties, required,
// additionalProperties, items, ranges and lengths, and anyOf between a text, a list and an object.
#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace parsimap {

// The schema `text` with every {"$ref": ...} replaced by its target: "#/..." is a place in the schema itself, anything
// else a key of `others`. Where a description stands beside a reference, it replaces the target's own.
nlohmann::json resolved_schema(const std::string& text, const std::map<std::string, std::string>& others = {});

// ConfigError about the first violation, with its JSON pointer:
// "/classes/1/colour/2 is 256; it must be a whole number at least 0, at most 255".
// Its key "$schema", by which editors find a schema, is left aside.
void check_document(nlohmann::json document, const nlohmann::json& schema);

}  // namespace parsimap
