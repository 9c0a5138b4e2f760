#include "parsimap/json/colour_file.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

// What follows the path in the message.
std::string refused(const std::string& content) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.json");
  write_file(path, content);
  try {
    read_colour_file(path);
  } catch (const ConfigError& error) {
    const std::string text = error.what();
    return text.substr(text.find(path) + path.size());
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("names, and codes where a key is a number") {
  const TemporaryFolder folder;
  write_file(folder.file("a.json"), R"({"Open water": "#0080FF", "200": "#010203", "3 m": "#ffffff"})");
  for (const ColourRule& rule : read_colour_file(folder.file("a.json"))) {
    CAPTURE(rule.name);
    CHECK(rule.code == (rule.name == "200" ? std::optional(200) : std::nullopt));
    CHECK(rule.colour == (rule.name == "200"   ? Colour{1, 2, 3}
                          : rule.name == "3 m" ? Colour{255, 255, 255}
                                               : Colour{0, 128, 255}));
  }
  CHECK(read_colour_file(folder.file("a.json")).size() == 3);
}

TEST_CASE("what is no colour is told with its class") {
  CHECK(refused(R"({"water": "blue"})") == ": the colour of 'water' is \"blue\"; it must be of the form \"#rrggbb\"");
  for (const char* value : {"\"#12345\"", "\"#1234567\"", "\"#12345g\"", "\"0x12345\"", "7", "null", "[0, 0, 1]"}) {
    CAPTURE(value);
    CHECK(refused("{\"a\": " + std::string(value) + "}").find(": the colour of 'a' is ") == 0);
  }
  CHECK(refused("{\n\"a\" \"#ffffff\"}").find(": not valid JSON: parse error at line 2") == 0);
  CHECK(refused("[]") == ": it must be an object of class names or codes and colours");
  CHECK(refused("{}") == ": it must be an object of class names or codes and colours");
  CHECK(refused("") == "' is empty");
}

}  // namespace parsimap::test
