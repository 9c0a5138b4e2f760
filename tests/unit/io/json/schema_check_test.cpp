#include "io/json/schema_check.hpp"

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
std::string refusal(const std::string& key, const json& value) {
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
  CHECK(refusal("colours", "blue") == "accepted");
  CHECK(refusal("colours", {{"x", 2}}) == "accepted");
}

TEST_CASE("references are replaced, and what stands beside one wins") {
  CHECK(schema()["properties"]["point"]["description"] == "here");
  CHECK(schema()["properties"]["point"]["properties"]["x"]["type"] == "number");
  CHECK(schema()["properties"]["colours"]["anyOf"][0]["enum"] == json({"red", "blue"}));
  CHECK(schema().dump().find("$ref") == std::string::npos);
}

TEST_CASE("every kind of rule says what is right") {
  CHECK(refusal("name", "") == "/name is \"\"; it must be text that is not empty");
  CHECK(refusal("note", 3) == "/note is 3; it must be text");
  CHECK(refusal("share", 1) == "/share is 1; it must be a number greater than 0, less than 1");
  CHECK(refusal("count", 10) == "/count is 10; it must be a whole number at least 1, at most 9");
  CHECK(refusal("count", 1.5) == "/count is 1.5; it must be a whole number at least 1, at most 9");
  CHECK(refusal("colour", "green") == "/colour is \"green\"; it must be one of red, blue");
  CHECK(refusal("pair", {1}) == "/pair is [1]; it must be a list of 2 whole numbers");
  CHECK(refusal("pair", {1, "x"}) == "/pair/1 is \"x\"; it must be a whole number");
  CHECK(refusal("by name", {{"a", 1}, {"b", "x"}}) == "/by name/b is \"x\"; it must be a number");
  CHECK(message_of([] { check_document({1, 2}, schema()); }) == "the document is [1,2]; it must be an object");
  CHECK(refusal("note", std::vector<int>(40, 1)) ==
        "/note is [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,...; it must be text");
}

TEST_CASE("unknown and missing keys are named") {
  CHECK(refusal("a/b", 1) ==
        "/a~1b is unknown; known here are by name, colour, colours, count, name, note, pair, point, share");
  CHECK(refusal("point", json::object()) == "/point/x is missing; it must be a number");
  CHECK(refusal("point", {{"x", 1}, {"y", 1}}) == "/point/y is unknown; known here are x");
}

TEST_CASE("of several allowed types the one of the value is meant") {
  CHECK(refusal("colours", "green") == "/colours is \"green\"; it must be one of red, blue");
  CHECK(refusal("colours", {"red", "green"}) == "/colours/1 is \"green\"; it must be one of red, blue");
  CHECK(refusal("colours", json::array()) == "/colours is []; it must be a list of at least 1 text");
  CHECK(refusal("colours", {{"y", 1}}) == "/colours/y is unknown; known here are x");
  CHECK(refusal("colours", 7) ==
        "/colours is 7; it must be one of red, blue, or a list of at least 1 text, or an object");
}
