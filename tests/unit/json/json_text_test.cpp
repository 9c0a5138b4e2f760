
#include "parsimap/json/json_text.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/json/experiment_spec.hpp"
#include "parsimap/json/simulation_spec.hpp"
#include "parsimap/report/experiment_report.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

std::string nested(std::size_t depth, const std::string& open, const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) {
    text += open;
  }
  text += "1";
  for (std::size_t i = 0; i < depth; ++i) {
    text += close;
  }
  return text;
}

}  // namespace

TEST_CASE("a JSON file that is missing, empty, special or too large is refused with its role and name") {
  const TemporaryFolder folder;
  write_file(folder.file("empty.json"), "");
  write_file(folder.file("full.json"), "{}\n");
  CHECK(read_json_text(folder.file("full.json"), "experiment") == "{}\n");
  const auto refusal = [](const std::string& path) { return message_of([&] { read_json_text(path, "experiment"); }); };
  CHECK(refusal(folder.file("none.json")) ==
        "experiment '" + folder.file("none.json") + "' cannot be read: No such file or directory");
  CHECK(refusal(folder.file("empty.json")) == "experiment '" + folder.file("empty.json") + "' is empty");
  CHECK(refusal("/dev/zero") == "experiment '/dev/zero' is a device; an input must be a regular file");
  std::filesystem::resize_file(folder.file("full.json"), kLargestConfiguration + 1);
  CHECK(refusal(folder.file("full.json")) == "experiment '" + folder.file("full.json") +
                                                 "' has more than 67108864 bytes; that is too much for a file of its "
                                                 "kind");
  CHECK_THROWS_AS(read_json_text("/dev/zero", "experiment"), ConfigError);
}

TEST_CASE("nesting is counted outside of texts") {
  CHECK_NOTHROW(check_json_form(nested(100, "[", "]")));
  CHECK_THROWS_AS(check_json_form(nested(101, "[", "]")), ConfigError);
  CHECK_THROWS_AS(check_json_form(nested(51, "{\"a\":[", "]}")), ConfigError);
  CHECK_NOTHROW(check_json_form("[\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\"]"));
  std::string siblings = "[";
  for (int i = 0; i < 1000; ++i) {
    siblings += "[],";
  }
  CHECK_NOTHROW(check_json_form(siblings + "1]"));
}

TEST_CASE("an object has a key once, outside of texts and of other objects") {
  CHECK_NOTHROW(check_json_form(R"({"a": {"a": 1, "b": "a"}, "b": [{"a": ":"}, {"a": "{\"a\":1,\"a\":2"}]})"));
  CHECK_NOTHROW(check_json_form("]}:{}"));  // no JSON, which the parser finds
  CHECK(message_of([] { check_json_form(R"({"b": 1, "a": {"b": 1, "b" : 2}})"); }) == "key 'b' is there twice");
  CHECK(message_of([] { check_json_form(R"({"b": 1, "a": [{"b": 1}], "b": 2})"); }) == "key 'b' is there twice");
  const TemporaryFolder folder;
  const std::string path = folder.file("twice.json");
  write_file(path, R"({"seed": 1, "seed": 2})");
  CHECK(message_of([&] { read_experiment(path); }) == path + ": key 'seed' is there twice");
  CHECK(message_of([&] { read_simulation_spec(path); }) == path + ": key 'seed' is there twice");
  write_file(path, "{'seed': 1, 'title': 2}");
  CHECK(contains(message_of([&] { read_experiment(path); }), "not valid JSON: parse error at line 1, column 2"));
}

TEST_CASE("a text cannot have the character that ends texts of C") {
  CHECK(contains(message_of([] { check_json_form(R"({"class": "a\u0000b"})"); }), "has the character U+0000"));
  CHECK_NOTHROW(check_json_form(R"({"class": "a\\u0000b", "b": "\u0001"})"));
  CHECK_NOTHROW(check_json_form(R"({"class": "\)"));  // no JSON, which the parser finds
}

TEST_CASE("every reader of JSON refuses what is nested too deep, and names its file") {
  const TemporaryFolder folder;
  const std::string path = folder.file("deep.json");
  for (const auto& [open, close] : {std::pair("[", "]"), std::pair("{\"a\":", "}")}) {
    write_file(path, nested(200'000, open, close));
    const std::string expected =
        path + ": not valid JSON for this program: lists and objects are nested more than 100 deep";
    CHECK(message_of([&] { read_experiment(path); }) == expected);
    CHECK(message_of([&] { read_simulation_spec(path); }) == expected);
    CHECK(message_of([&] { read_colour_file(path); }) == expected);
    CHECK_THROWS_AS(read_document(nested(200'000, open, close), [](Fields&) {}), ConfigError);
  }
}

TEST_CASE("a number that is too large for any type is reported with its file") {
  const TemporaryFolder folder;
  const std::string path = folder.file("large.json");
  write_file(path, "{\"seed\": 1e999}");
  const std::string expected = path + ": not valid JSON: number overflow parsing '1e999'";
  CHECK(message_of([&] { read_experiment(path); }) == expected);
  CHECK(message_of([&] { read_simulation_spec(path); }) == expected);
  CHECK(message_of([&] { read_colour_file(path); }) == expected);
}

}  // namespace parsimap::test

namespace parsimap::test {

TEST_CASE("a sealed line is JSON with a checksum, and opens to what it was") {
  std::string writing;
  const std::string first = sealed_line(R"({"a":1})", writing);
  // Of zlib.crc32(b'{"a":1') in Python.
  CHECK(first == "{\"a\":1,\"checksum\":\"a702fc6e\"}\n");
  CHECK(nlohmann::json::parse(first)["a"] == 1);
  const std::string second = sealed_line(R"({"a":1})", writing);
  CHECK(first != second);
  std::string reading;
  CHECK(opened_line(first, reading) == R"({"a":1})");
  CHECK(opened_line(second, reading) == R"({"a":1})");
  CHECK(reading == writing);
}

TEST_CASE("no altered byte, and no other order of lines, goes unnoticed") {
  std::string chain;
  const std::string first = sealed_line(R"({"a":1})", chain);
  const std::string after_first = chain;
  const std::string second = sealed_line(R"({"b":"x"})", chain);
  for (std::size_t i = 0; i < second.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = second;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      std::string previous = after_first;
      REQUIRE_FALSE(opened_line(damaged, previous));
      REQUIRE(previous == after_first);
    }
  }
  std::string previous;
  CHECK_FALSE(opened_line(second, previous));
  CHECK_FALSE(opened_line("", previous));
  CHECK_FALSE(opened_line("{}\n", previous));
  CHECK(opened_line(first, previous));
  CHECK_FALSE(opened_line(first, previous));
}

}  // namespace parsimap::test

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

TEST_CASE("what is no colour is reported with its class") {
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
