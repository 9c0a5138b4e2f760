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
    "arguments": [{"name": "WALL", "description": "What to paint"},
                  {"name": "FINISH", "description": "How it looks", "choices": ["matt", "gloss"]}],
    "options": [
      {"name": "coats", "kind": "integer", "description": "How often", "value": "N", "default": "2", "least": 1, "most": 9},
      {"name": "colour", "kind": "text", "description": "Which colour", "value": "NAME", "choices": ["red", "rose", "ral:"]},
      {"name": "tin", "kind": "list", "description": "Tin \\ can", "value": "FILE"},
      {"name": "shed", "kind": "text", "description": "Shed", "value": "DIR"},
      {"name": "dry", "kind": "flag", "description": "Wait"}]})");
  CHECK(json["commands"][0] == expected);
  CHECK(json["common_options"].size() == common_options().size());
}

}  // namespace parsimap::test
