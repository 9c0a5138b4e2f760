#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/options/command_line.hpp"

#include "unit/core/temporary_folder.hpp"
#include "unit/options/sample_syntax.hpp"

namespace parsimap::test {
namespace {

std::vector<OptionSyntax> sample_options() {
  static PaintOptions paint;
  static std::vector<std::string> tools;
  const auto check = [](const std::string& text) {
    if (text.empty()) {
      throw ConfigError("a tool has a name");
    }
  };
  return {{.name = "coats", .field = bound(paint.coats), .least = 1},
          {.name = "tool", .field = bound(tools, check)},
          {.name = "colour", .field = bound(paint.colour), .choices = {"red", "blue"}},
          {.name = "gloss", .field = bound(paint.gloss, NumberRange{.least = 0})},
          {.name = "dry", .field = bound(paint.dry)},
          {.name = "help", .field = bound(paint.help), .only_command_line = true}};
}

class Files {
 public:
  std::map<std::string, OptionValue> read(const std::string& text) {
    write_file(folder_.file("o.json"), text);
    return read_options_file(folder_.file("o.json"), sample_options());
  }
  // The message without the folder's name.
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const ConfigError& error) {
      const std::string message = error.what();
      const std::size_t at = message.find("o.json");
      return at == std::string::npos ? message : message.substr(at);
    }
    return "accepted";
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("an options file gives values of every kind") {
  Files files;
  const auto values = files.read(R"({"coats": 3, "tool": ["brush", "comb"], "colour": "red", "dry": false})");
  CHECK(values.size() == 4);
  CHECK(std::get<std::int64_t>(values.at("coats")) == 3);
  CHECK(std::get<std::vector<std::string>>(values.at("tool")) == std::vector<std::string>{"brush", "comb"});
  CHECK(std::get<std::string>(values.at("colour")) == "red");
  CHECK_FALSE(std::get<bool>(values.at("dry")));
  CHECK(files.read(R"({"coats": null})").empty());
  CHECK(files.read("{}").empty());
  CHECK(std::get<double>(files.read(R"({"gloss": 0.5})").at("gloss")) == 0.5);
  CHECK(std::get<double>(files.read(R"({"gloss": "0.5"})").at("gloss")) == 0.5);  // as before version 0.2.0
}

TEST_CASE("a wrong value is named by file, JSON path, value and rule") {
  Files files;
  CHECK(files.refusal(R"({"colour": "green"})") == "o.json: /colour is \"green\"; it must be one of red, blue");
  CHECK(files.refusal(R"({"coats": "two"})") == "o.json: /coats is \"two\"; it must be an integer of at least 1");
  CHECK(files.refusal(R"({"coats": 0})") == "o.json: /coats is 0; it must be an integer of at least 1");
  CHECK(files.refusal(R"({"coats": 2.5})") == "o.json: /coats is 2.5; it must be an integer of at least 1");
  CHECK(files.refusal(R"({"coats": 18446744073709551615})") ==
        "o.json: /coats is 18446744073709551615; it must be an integer of at least 1");
  CHECK(files.refusal(R"({"gloss": -1})") == "o.json: /gloss is -1; it must be a number of at least 0");
  CHECK(files.refusal(R"({"gloss": "much"})") == "o.json: /gloss is \"much\"; it must be a number of at least 0");
  CHECK(files.refusal(R"({"dry": 1})") == "o.json: /dry is 1; it must be true or false");
  CHECK(files.refusal(R"({"colour": ["red"]})") == "o.json: /colour is [\"red\"]; it must be a text");
  CHECK(files.refusal(R"({"tool": "brush"})") == "o.json: /tool is \"brush\"; it must be an array of texts");
  CHECK(files.refusal(R"({"tool": ["brush", 7]})") == "o.json: /tool/1 is 7; it must be a text");
  CHECK(files.refusal(R"({"tool": ["brush", ""]})") == "o.json: /tool/1: a tool has a name");
}

TEST_CASE("a wrong key is an error, with a suggestion or all that is allowed") {
  Files files;
  CHECK(files.refusal(R"({"coat": 3})") == "o.json: /coat is not an option that a file can set; did you mean 'coats'?");
  CHECK(files.refusal(R"({"a/b": 3})") ==
        "o.json: /a~1b is not an option that a file can set; it must be one of coats, tool, colour, gloss, dry");
  CHECK(files.refusal(R"({"help": true})").rfind("o.json: /help is not an option", 0) == 0);
  CHECK(files.refusal(R"({"coats": 3, "coats": 4})") == "o.json: key 'coats' is there twice");
}

TEST_CASE("options of GDAL cannot be set by a file") {
  TemporaryFolder folder;
  write_file(folder.file("o.json"), R"({"config": ["GDAL_VRT_ENABLE_PYTHON=YES"]})");
  CHECK(message_of([&] { read_options_file(folder.file("o.json"), sample_options()); }) ==
        folder.file("o.json") +
            ": /config is not an option that a file can set; it changes GDAL itself, which can run code that "
            "stands in a file; give it on the command line");
}

TEST_CASE("what no type can hold, and what is nested too deep, is refused with the file's name") {
  Files files;
  CHECK(files.refusal(R"({"coats": 1e999})").rfind("o.json is not JSON: ", 0) == 0);
  CHECK(files.refusal(std::string(200'000, '[')).rfind("o.json: not valid JSON for this program: lists", 0) == 0);
  CHECK(message_of([] { read_options_file("/dev/zero", {}); }) ==
        "options file '/dev/zero' is a device; an input must be a regular file");
}

TEST_CASE("what is not one JSON object is refused") {
  Files files;
  CHECK(files.refusal("[1]") == "o.json holds array; it must be an object of options");
  CHECK(files.refusal("{\"coats\": ").rfind("o.json is not JSON: ", 0) == 0);
  CHECK(files.refusal("").rfind("o.json' is empty", 0) == 0);
  CHECK_THROWS_AS(read_options_file("/no/such/file", {}), ConfigError);
  CHECK_THROWS_AS(read_options_file("/tmp", {}), ConfigError);
}

}  // namespace parsimap::test
