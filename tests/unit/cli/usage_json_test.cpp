#include "cli/usage_json.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "unit/cli/sample_syntax.hpp"

namespace parsimap::test {

TEST_CASE("the command line as JSON") {
  const nlohmann::json json = nlohmann::json::parse(usage_json({paint_syntax()}));
  CHECK(json["program"] == "parsimap");
  CHECK(json["version"] == PARSIMAP_VERSION);
  REQUIRE(json["commands"].size() == 1);
  const nlohmann::json expected = nlohmann::json::parse(R"({
    "name": "paint", "summary": "Paint", "description": "Paints a wall.\n.Twice",
    "arguments": [{"name": "WALL", "label": "Wall", "description": "What to paint",
                   "file": {"contents": ["document"], "written": true, "extensions": [".wall"]}},
                  {"name": "FINISH", "label": "Finish", "description": "How it looks", "choices": ["matt", "gloss"]}],
    "options": [
      {"name": "coats", "label": "Layers of paint", "kind": "integer", "basic": true, "description": "How often", "value": "N",
       "default": "2", "least": 1, "most": 9},
      {"name": "colour", "label": "Colour", "kind": "text", "basic": false, "description": "Which colour", "value": "NAME",
       "names_field": true, "choices": ["red", "rose", "ral:"]},
      {"name": "tin", "label": "Tin", "kind": "list", "basic": false, "description": "Tin \\ can", "value": "FILE",
       "file": {"contents": ["raster", "vector"], "written": false, "extensions": []}},
      {"name": "shed", "label": "Shed", "kind": "text", "basic": false, "description": "Shed", "value": "DIR",
       "file": {"contents": ["folder"], "written": false, "extensions": []}},
      {"name": "dry", "label": "Dry", "kind": "flag", "basic": false, "description": "Wait"}]})");
  CHECK(json["commands"][0] == expected);
  CHECK(json["common_options"].size() == common_options().size());
}

}  // namespace parsimap::test
