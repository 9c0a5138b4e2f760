#include "parsimap/json/session_request.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "parsimap/core/error.hpp"

namespace parsimap::test {
namespace {

std::string request_error(const std::string& text) {
  try {
    check_session_request(text);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a request is checked against the definition of its name") {
  for (const char* const right :
       {R"({"id": 0, "request": "open", "scene": "s.tif", "options": {"spatial": "none"}})",
        R"({"id": 1, "request": "labels", "clear": true, "remove": ["a"], "set": [{"feature": "b", "class": "c",
          "pixels": [[0, 1]]}]})",
        R"({"id": 2, "request": "train", "full": true})", R"({"id": 3, "request": "classify", "window": [0, 0, 5, 5]})",
        R"({"id": 4, "request": "cancel"})"}) {
    CHECK(request_error(right) == "");
  }
  for (const auto& [wrong, part] : std::vector<std::pair<std::string, std::string>>{
           {"{", "not valid JSON"},
           {"[]", "must be an object"},
           {R"({"id": 1})", "must be an object with the member \"request\""},
           {R"({"id": 1, "request": "fly"})", "request is 'fly'; it must be one of accuracy, "},
           {R"({"id": 1, "request": "id"})", "request is 'id'"},
           {R"({"request": "train"})", "/id is missing"},
           {R"({"id": 1, "request": "train", "full": 1})", "/full is 1"},
           {R"({"id": 1, "request": "train", "fast": true})", "/fast is unknown"},
           {R"({"id": 1, "request": "classify", "window": [0, 0, 5]})", "/window is [0,0,5]"},
           {R"({"id": 1, "request": "labels", "set": [{"feature": "b", "class": ""}]})", "/set/0/class is \"\""},
           {std::string(200, '[') + std::string(200, ']'), "nested"}}) {
    const std::string error = request_error(wrong);
    CAPTURE(error);
    CHECK(error.find(part) != std::string::npos);
  }
}

TEST_CASE("the schema has a definition for each of its alternatives") {
  const auto schema = nlohmann::json::parse(session_schema());
  for (const auto& one : schema.at("oneOf")) {
    const std::string target = one.at("$ref");
    const auto& definition = schema.at(nlohmann::json::json_pointer(target.substr(1)));
    CHECK(target == "#/definitions/" + definition.at("properties").at("request").at("enum")[0].get<std::string>());
    CHECK(definition.at("additionalProperties") == false);
  }
}

}  // namespace parsimap::test
