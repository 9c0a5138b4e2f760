#include "json/schema_check.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using nlohmann::json;

namespace {

const json& schema() {
  static const json rules = resolved_schema(R"({
    "type": "object",
    "additionalProperties": false,
    "required": ["name"],
    "properties": {
      "name": {"type": "string", "minLength": 1},
      "note": {"type": "string"},
      "share": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
      "count": {"type": "integer", "minimum": 1, "maximum": 9},
      "colour": {"enum": ["red", "blue"]},
      "pair": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer"}},
      "colours": {"anyOf": [{"$ref": "#/definitions/colour"},
                            {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/colour"}},
                            {"$ref": "point.json"}]},
      "by name": {"type": "object", "additionalProperties": {"type": "number"}},
      "point": {"$ref": "point.json", "description": "here"}
    },
    "definitions": {"colour": {"enum": ["red", "blue"]}}
  })",
                                            {{"point.json", R"({"type": "object", "additionalProperties": false,
      "required": ["x"], "description": "there", "properties": {"x": {"type": "number"}}})"}});
  return rules;
}

// The error after setting a value of an otherwise right document.
std::string refusal_of_value(const std::string& key, const json& value) {
  json document = {{"name", "n"}};
  document[key] = value;
  try {
    check_document(document, schema());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("what obeys the schema is accepted") {
  CHECK_NOTHROW(check_document({{"name", "n"},
                                {"note", ""},
                                {"share", 0.5},
                                {"count", 9},
                                {"colour", "red"},
                                {"pair", {1, 2}},
                                {"colours", {"red", "blue"}},
                                {"by name", {{"any", 1.5}}},
                                {"point", {{"x", 1}}}},
                               schema()));
  CHECK(refusal_of_value("colours", "blue") == "accepted");
  CHECK(refusal_of_value("colours", {{"x", 2}}) == "accepted");
}

TEST_CASE("references are replaced, and what stands beside one wins") {
  CHECK(schema()["properties"]["point"]["description"] == "here");
  CHECK(schema()["properties"]["point"]["properties"]["x"]["type"] == "number");
  CHECK(schema()["properties"]["colours"]["anyOf"][0]["enum"] == json({"red", "blue"}));
  CHECK(schema().dump().find("$ref") == std::string::npos);
}

TEST_CASE("every kind of rule says what is right") {
  CHECK(refusal_of_value("name", "") == "/name is \"\"; it must be text that is not empty");
  CHECK(refusal_of_value("note", 3) == "/note is 3; it must be text");
  CHECK(refusal_of_value("share", 1) == "/share is 1; it must be a number greater than 0, less than 1");
  CHECK(refusal_of_value("count", 10) == "/count is 10; it must be a whole number at least 1, at most 9");
  CHECK(refusal_of_value("count", 1.5) == "/count is 1.5; it must be a whole number at least 1, at most 9");
  CHECK(refusal_of_value("colour", "green") == "/colour is \"green\"; it must be one of red, blue");
  CHECK(refusal_of_value("pair", {1}) == "/pair is [1]; it must be a list of 2 whole numbers");
  CHECK(refusal_of_value("pair", {1, "x"}) == "/pair/1 is \"x\"; it must be a whole number");
  CHECK(refusal_of_value("by name", {{"a", 1}, {"b", "x"}}) == "/by name/b is \"x\"; it must be a number");
  CHECK(message_of([] { check_document({1, 2}, schema()); }) == "the document is [1,2]; it must be an object");
  CHECK(refusal_of_value("note", std::vector<int>(40, 1)) ==
        "/note is [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,...; it must be text");
}

TEST_CASE("a document may name its schema, as editors want it") {
  CHECK_NOTHROW(check_document({{"$schema", "here.schema.json"}, {"name", "a"}, {"point", {{"x", 1}}}}, schema()));
  CHECK(message_of([] {
          check_document({{"name", "a"}, {"point", {{"x", 1}, {"$schema", "y"}}}}, schema());
        }) == "/point/$schema is unknown; known here are x");
}

TEST_CASE("unknown and missing keys are named") {
  CHECK(refusal_of_value("a/b", 1) ==
        "/a~1b is unknown; known here are by name, colour, colours, count, name, note, pair, point, share");
  CHECK(refusal_of_value("point", json::object()) == "/point/x is missing; it must be a number");
  CHECK(refusal_of_value("point", {{"x", 1}, {"y", 1}}) == "/point/y is unknown; known here are x");
}

TEST_CASE("of several allowed types the one of the value is meant") {
  CHECK(refusal_of_value("colours", "green") == "/colours is \"green\"; it must be one of red, blue");
  CHECK(refusal_of_value("colours", {"red", "green"}) == "/colours/1 is \"green\"; it must be one of red, blue");
  CHECK(refusal_of_value("colours", json::array()) == "/colours is []; it must be a list of at least 1 text");
  CHECK(refusal_of_value("colours", {{"y", 1}}) == "/colours/y is unknown; known here are x");
  CHECK(refusal_of_value("colours", 7) ==
        "/colours is 7; it must be one of red, blue, or a list of at least 1 text, or an object");
}
